"""Who owns whom: the ownership chain as links, as a diagram and as a table."""
