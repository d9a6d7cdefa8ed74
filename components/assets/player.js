// A slider over the dates of a drawing: step, play, pause, by mouse and by keyboard. The frames are
// in the browser, so that nothing is asked of the server until the slider rests.

/** Milliseconds that a date is shown while it plays; longer for those who want less motion. */
const [PACE, SLOWER] = [450, 1200];
/** How long the slider rests before the server hears where. */
const RESTS = 500;
const players = new WeakMap();

/**
 * Puts the slider over a drawing, or takes it away where there are no dates. `dates` has the labels
 * and where to stand; `show(at)` draws a date, `rest(at)` tells the server.
 */
function played(box, dates, { show, rest }) {
  const player = players.get(box) ?? {};
  players.set(box, player);
  Object.assign(player, { box, dates, show, rest });
  if (dates && !player.bar) build(box, player);
  if (player.bar) player.bar.hidden = !dates;
  if (!dates) {
    halt(player);
    player.at = player.heard;
    return;
  }
  // Where the page was sent, unless the slider has moved since or plays: a late answer to an earlier
  // month neither takes it back nor stops it. It has moved until the server says where it stands.
  player.heard = dates.at;
  if (!player.timer && dates.at === player.at) player.moved = false;
  const moved = player.moved && player.at < dates.labels.length;
  if (!moved) player.at = player.told = dates.at;
  player.slider.max = dates.labels.length - 1;
  turn(player, player.at);
  if (moved && !player.timer) settle(player);
}

function build(box, player) {
  const bar = Object.assign(document.createElement("div"), { className: "player" });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Date of the map");
  const button = (label, sign, press) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: sign, title: label, onclick: press });
    made.setAttribute("aria-label", label);
    return made;
  };
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, step: 1 });
  slider.setAttribute("aria-label", "Date");
  slider.oninput = () => move(player, Number(slider.value));
  const play = button("Play", "\u25B6", () => (player.timer ? pause(player) : start(player)));
  const said = document.createElement("output");
  bar.append(
    button("One date back", "\u25C0\u2758", () => move(player, player.at - 1)),
    play,
    button("One date on", "\u2758\u25B6", () => move(player, player.at + 1)),
    slider,
    said,
  );
  bar.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = player.dates.labels.length - 1;
    // On a button the space bar presses it.
    const space = event.key === " " && event.target === slider;
    const to = { ArrowLeft: player.at - 1, ArrowDown: player.at - 1, ArrowRight: player.at + 1, ArrowUp: player.at + 1, Home: 0, End: last }[event.key];
    if (to === undefined && !space) return;
    event.preventDefault();
    if (space) play.click();
    else move(player, to);
  };
  box.querySelector(".stage").before(bar);
  Object.assign(player, { bar, slider, play, said });
}

/** To a date by hand: what plays stops, and the server hears of it. */
function move(player, to) {
  halt(player);
  player.moved = true;
  turn(player, to);
  settle(player);
}

function start(player) {
  const last = player.dates.labels.length - 1;
  clearTimeout(player.resting);
  player.moved = true;
  if (player.at === last) turn(player, 0);
  const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? SLOWER : PACE;
  player.timer = setInterval(() => {
    if (!player.box.isConnected) return halt(player);
    turn(player, player.at + 1);
    if (player.at === player.dates.labels.length - 1) pause(player);
  }, pace);
  turn(player, player.at);
}

function pause(player) {
  halt(player);
  settle(player);
}

function halt(player) {
  clearInterval(player.timer);
  clearTimeout(player.resting);
  player.timer = 0;
  if (player.play) label(player);
}

function settle(player) {
  clearTimeout(player.resting);
  player.resting = setTimeout(() => {
    if (!player.box.isConnected) return;
    if (player.at === player.told) {
      if (player.heard === player.at) player.moved = false;
      return;
    }
    player.told = player.at;
    player.rest(player.at);
  }, RESTS);
}

function turn(player, to) {
  const { labels } = player.dates;
  player.at = Math.max(0, Math.min(labels.length - 1, to));
  player.slider.value = player.at;
  player.slider.setAttribute("aria-valuetext", labels[player.at]);
  player.said.textContent = labels[player.at];
  label(player);
  player.show(player.at);
}

function label(player) {
  const [words, sign] = player.timer ? ["Pause", "\u275A\u275A"] : ["Play", "\u25B6"];
  player.play.textContent = sign;
  player.play.title = words;
  player.play.setAttribute("aria-label", words);
}
