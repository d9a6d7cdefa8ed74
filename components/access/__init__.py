"""Your access: who looks, what their role may do, and what each licence tier opens."""
