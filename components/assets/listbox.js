// What lists below a field share: the search box of the band, and the words of a filter.

/** Points at one option, or at none by -1, and tells the field, where the focus stays. */
function pointed(input, list, at, mark) {
  const rows = [...list.querySelectorAll("[role=option]")];
  rows.forEach((row, index) => mark(row, index === at));
  if (!rows[at]) return input.removeAttribute("aria-activedescendant");
  rows[at].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", rows[at].id);
}
