// A stored game: the link to its analysis is that of the position on the board.
const link = document.getElementById("analyse"), position = document.getElementById("position");
if (link && position) {
  const path = link.getAttribute("href");
  const follow = () => { link.href = `${path}?position=${encodeURIComponent(position.value)}`; };
  for (const event of ["pointerenter", "pointerdown", "focus", "click"]) link.addEventListener(event, follow);
}
