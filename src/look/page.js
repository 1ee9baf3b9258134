// SPDX-License-Identifier: Apache-2.0
// Draws the report from C, the data of each chip, and S, those of a system, or null. page.c writes both.
'use strict';

const NAMES = ['node', 'tile', 'port', 'DRAM', 'PCIe', 'ARC', 'L2CPU', 'security'];
const KINDS = ['empty', 'Tensix', 'Ethernet', 'DRAM', 'PCIe', 'ARC', 'L2CPU', 'security'];
const TENSIX = 1;
const ROWS = 25; // most rows of a long table
const LINKS = 40; // most directions of links
const SOME = 12; // most rows of a table that has another one beside it
const GAP = 300; // pixels: a column that much shorter takes another section
const CELL = { width: 46, height: 34, left: 24, top: 20 };

let D = C[0]; // the chip that is shown

/* Text */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => ESCAPES[c]);
}

function number(value) {
  return Math.round(value).toLocaleString('en');
}

// At most five characters, for the map.
function brief(value) {
  if (value >= 1e9) return (value / 1e9).toFixed(1) + ' G';
  if (value >= 1e6) return (value / 1e6).toFixed(1) + ' M';
  if (value >= 1e4) return (value / 1e3).toFixed(0) + ' k';
  return number(value);
}

function bytes(value) {
  if (value >= 2 ** 30) return (value / 2 ** 30).toFixed(1) + ' GiB';
  if (value >= 2 ** 20) return (value / 2 ** 20).toFixed(1) + ' MiB';
  if (value >= 8192) return (value / 1024).toFixed(0) + ' KiB';
  return number(value) + ' B';
}

function counted(count, thing) {
  return `${number(count)} ${thing}${count === 1 ? '' : 's'}`;
}

function percent(value, all) {
  return ((100 * value) / Math.max(1, all)).toFixed(1) + ' %';
}

function mono(text) {
  return `<span class="mono">${escaped(text)}</span>`;
}

function soft(text) {
  return `<p class="soft">${text}</p>`;
}

function bar(share, width, kind = '') {
  return `<span class="bar ${kind}" style="width:calc(${width * share}px * var(--bars))"></span>`;
}

function heading(text) {
  return `<p><b>${text}</b></p>`;
}

/* The work of a node. A core is [instructions, cycles waited for the first reason, for the second, ...]. */

function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

function waitOfCore(core) {
  return sum(core.slice(1));
}

function work(node) {
  return node.c ? sum(node.c.map((core) => core[0])) : 0;
}

function wait(node) {
  return node.c ? sum(node.c.map(waitOfCore)) : 0;
}

function nameOf(node) {
  return `${NAMES[node.k]} ${node.n} (${node.x},${node.y})`;
}

/* Building blocks. A column is [title, class]. A row is a list of cells; a click on it chooses its node `to`. */

function element(tag, html = '') {
  const made = document.createElement(tag);
  made.innerHTML = html;
  return made;
}

const main = document.getElementById('main');
let sections = main; // new sections become its children

// Puts the sections that each part makes into a part of the page, of these classes. Returns these parts of the page.
function sideBySide(...parts) {
  const outer = sections;
  return parts.map(([classes, part]) => {
    const own = (sections = element('div'));
    own.className = classes;
    outer.append(own);
    part();
    sections = outer;
    return own;
  });
}

function bottom(made) {
  return made.getBoundingClientRect().bottom;
}

// Puts the section that each part makes into the column that is the shortest then, so that none is left empty.
function fill(columns, parts) {
  const outer = sections;
  for (const part of parts) {
    sections = columns.reduce((best, column) => (bottom(column) < bottom(best) ? column : best));
    part();
  }
  sections = outer;
}

function section(title, width, html) {
  const made = element('section');
  const body = element('div', html);
  made.className = width;
  made.append(element('h2', title), body);
  sections.append(made);
  return body;
}

function table(columns, rows) {
  const head = columns.map(([title, kind]) => `<th class="${kind || ''}">${title}</th>`);
  const lines = rows.map((row) => {
    const link = row.to === undefined ? '' : ` class="to" onclick="choose(${row.to})"`;
    return `<tr${link}>${row.map((cell, i) => `<td class="${columns[i][1] || ''}">${cell}</td>`).join('')}</tr>`;
  });
  return `<table><tr>${head.join('')}</tr>${lines.join('')}</table>`;
}

function leadingTo(node, row) {
  row.to = node;
  return row;
}

function figures(title, list) {
  const rows = list.map(([name, value]) => [escaped(name), escaped(value)]);
  section(title, 'w4', table([[''], ['', 'n']], rows));
}

/* The map */

const VIEWS = {
  'executed instructions': [work, brief],
  'waiting cycles': [wait, brief],
  'bytes out': [(node) => node.o, bytes],
  'bytes in': [(node) => node.i, bytes],
  'NOC requests': [(node) => node.r, brief],
};

const LEGEND = soft(
  'Outlines: <span class="on">the chosen node</span>, <span class="asked">nodes that it asks</span>, ' +
    '<span class="asks">nodes that ask it</span>, <span class="both">both</span>.'
);

let view = 'executed instructions';
let chosen = null;

function colour(share) {
  const pale = [238, 243, 248];
  const deep = [24, 78, 150];
  return `rgb(${pale.map((v, i) => Math.round(v + (deep[i] - v) * share)).join()})`;
}

function left(x) {
  return CELL.left + x * CELL.width;
}

function above(y) {
  return CELL.top + y * CELL.height;
}

// The colours from nothing to the most, which is described.
function ramp(most) {
  const steps = Array.from({ length: 40 }, (_, i) => i);
  const cells = steps.map((i) => `<rect x="${i * 5}" width="5.5" height="12" fill="${colour(i / 39)}"/>`).join('');
  return `<p class="scale soft">0 <svg width="200" height="12">${cells}</svg> ${most}</p>`;
}

// Those of the map, up to what a node has.
function scale(most, shown) {
  const unit = view.startsWith('bytes') ? '' : view;
  return ramp(`${shown(most)} ${unit} of a node; grey: another kind of node, with none`);
}

// axis: a number of a column or a row, which narrow windows show too.
function label(x, y, text, ink = '#33404d', axis = false) {
  return `<text x="${x}" y="${y}" fill="${ink}"${axis ? ' class="axis"' : ''}>${text}</text>`;
}

function axis(x, y, place) {
  return label(x, y, place, '#33404d', true);
}

// The class of a node's outline: it is the chosen node, gets requests from it, sends requests to it, or both.
function relation(i) {
  if (i === chosen) return 'on';
  const asked = D.pairs.some(([from, to]) => from === chosen && to === i);
  const asks = D.pairs.some(([from, to]) => from === i && to === chosen);
  return asked && asks ? 'both' : asked ? 'asked' : asks ? 'asks' : '';
}

function drawNode(node, i, most) {
  const [value, shown] = VIEWS[view];
  const share = value(node) / most;
  const middle = left(node.x) + (CELL.width - 3) / 2;
  const ink = share > 0.5 ? '#fff' : '#33404d';
  let fill = '#fafbfc';
  if (node.k !== 0) fill = node.k === TENSIX || share > 0 ? colour(share) : '#e9ecef';
  let svg =
    `<rect data-i="${i}" x="${left(node.x)}" y="${above(node.y)}"` +
    ` width="${CELL.width - 3}" height="${CELL.height - 3}"` +
    ` rx="3" class="${relation(i)}" fill="${fill}">` +
    `<title>${nameOf(node)}: ${shown(value(node))}</title></rect>`;
  if (node.k > TENSIX) svg += label(middle, above(node.y) + (share > 0 ? 14 : 20), KINDS[node.k], ink);
  if (share > 0) svg += label(middle, above(node.y) + (node.k === TENSIX ? 20 : 26), shown(value(node)), ink);
  return svg;
}

function draw() {
  const buttons = document.getElementById('views');
  buttons.innerHTML = '';
  for (const name in VIEWS) {
    const button = element('button', name);
    button.className = name === view ? 'on' : '';
    button.onclick = () => {
      view = name;
      draw();
    };
    buttons.append(button);
  }
  const [wide, high] = D.grid;
  const most = Math.max(1, ...D.nodes.map(VIEWS[view][0]));
  let svg = `<svg viewBox="0 0 ${left(wide)} ${above(high)}" width="100%">`;
  for (let x = 0; x < wide; x++) svg += axis(left(x) + (CELL.width - 3) / 2, 14, x);
  for (let y = 0; y < high; y++) svg += axis(11, above(y) + CELL.height / 2 + 3, y);
  svg += D.nodes.map((node, i) => drawNode(node, i, most)).join('');
  document.getElementById('map').innerHTML = svg + '</svg>' + scale(most, VIEWS[view][1]);
}

/* The chosen tile */

function coresOf(node) {
  const most = Math.max(1, ...node.c.map(sum));
  const rows = node.c.map((core, i) => [
    D.cores[node.k][i],
    number(core[0]),
    number(waitOfCore(core)),
    bar(core[0] / most, 90) + bar(waitOfCore(core) / most, 90, 'wait'),
  ]);
  return table([['core'], ['executed', 'n'], ['waiting', 'n'], ['']], rows);
}

function waitsOf(node) {
  const waits = [];
  node.c.forEach((core, i) =>
    core.slice(1).forEach((cycles, reason) => {
      if (cycles) waits.push([D.cores[node.k][i], D.reasons[reason], cycles]);
    })
  );
  waits.sort((a, b) => b[2] - a[2]);
  const rows = waits.slice(0, SOME).map(([core, reason, cycles]) => [core, reason, number(cycles)]);
  return rows.length ? heading('Waits') + table([['core'], ['for'], ['cycles', 'n']], rows) : '';
}

// Lists the nodes in pairs with the chosen node. The chosen node is at the end `own` of each pair.
function peers(title, own, other) {
  const rows = D.pairs
    .filter((pair) => pair[own] === chosen)
    .slice(0, SOME)
    .map((pair) => leadingTo(pair[other], [nameOf(D.nodes[pair[other]]), number(pair[2]), bytes(pair[3])]));
  return rows.length ? heading(title) + table([['node'], ['requests', 'n'], ['bytes', 'n']], rows) : '';
}

function choose(i) {
  const node = D.nodes[i];
  chosen = i;
  draw();
  detail.innerHTML =
    heading(nameOf(node)) +
    (node.c ? coresOf(node) + waitsOf(node) : '') +
    soft(`${counted(node.r, 'request')} issued; ${bytes(node.o)} out, ${bytes(node.i)} in`) +
    peers('Asks', 0, 1) +
    peers('Is asked by', 1, 0);
}

/* The system: chips, and links between them */

const SPANS = { wide: 1000, left: 100, high: 16 };
const CHIP = { width: 130, height: 74, across: 190, down: 140, left: 60, top: 50 };

// Chips lie at their coordinates, if each has its own; else in rows.
function placesOfChips() {
  const own = new Set(S.chips.map(String)).size === S.chips.length;
  const wide = Math.ceil(Math.sqrt(S.chips.length));
  const high = own ? Math.max(...S.chips.map(([, y]) => y)) + 1 : 0;
  return S.chips.map(([x, y, rack, shelf], i) =>
    own ? [x, y + (rack + shelf) * high] : [i % wide, Math.floor(i / wide)]
  );
}

function middleOf([x, y]) {
  return [CHIP.left + x * CHIP.across + CHIP.width / 2, CHIP.top + y * CHIP.down + CHIP.height / 2];
}

// A line for each link, beside those of the same two chips. It bends, since chips may lie on a straight one.
function drawLinks(places) {
  const most = Math.max(1, ...S.links.map((link) => link[7]));
  const seen = {};
  return S.links
    .map(([from, port, , to, toPort, , packets, moved, busy], i) => {
      const pair = `${Math.min(from, to)} ${Math.max(from, to)}`;
      const number = (seen[pair] = (seen[pair] || 0) + 1);
      const [x, y] = middleOf(places[from]);
      const [tx, ty] = middleOf(places[to]);
      const length = Math.hypot(tx - x, ty - y) || 1;
      const bend = (from < to ? 1 : -1) * (8 * number + length / 12);
      const cx = (x + tx) / 2 - ((ty - y) / length) * bend;
      const cy = (y + ty) / 2 + ((tx - x) / length) * bend;
      return (
        `<path data-link="${i}" d="M${x} ${y}Q${cx} ${cy} ${tx} ${ty}" fill="none"` +
        ` stroke="${moved ? colour(0.3 + (0.7 * moved) / most) : '#d5dbe1'}"` +
        ` stroke-width="${1 + (5 * moved) / most}"><title>chip ${from} port ${port} to chip ${to} port ${toPort}: ` +
        `${counted(packets, 'packet')}, ${bytes(moved)}, busy ${percent(busy, cyclesOfSystem())}</title></path>`
      );
    })
    .join('');
}

function cyclesOfSystem() {
  return Number(S.figures.find(([name]) => name === 'cycles')[1].replace(/\D/g, ''));
}

function drawChips(places) {
  const works = C.map((chip) => sum(chip.nodes.map(work)));
  const most = Math.max(1, ...works);
  return C.map((chip, i) => {
    const [x, y] = middleOf(places[i]).map((at, k) => at - (k ? CHIP.height : CHIP.width) / 2);
    const ink = works[i] / most > 0.5 ? '#fff' : '#33404d';
    return (
      `<rect data-chip="${i}" x="${x}" y="${y}" width="${CHIP.width}" height="${CHIP.height}" rx="5"` +
      ` class="${chip === D ? 'on' : ''}" fill="${colour(works[i] / most)}"/>` +
      label(x + CHIP.width / 2, y + 24, `chip ${i}${chip.good ? '' : ': ' + chip.verdict}`, ink) +
      label(x + CHIP.width / 2, y + 42, `${brief(works[i])} executed`, ink) +
      label(x + CHIP.width / 2, y + 60, `${brief(sum(chip.nodes.map(wait)))} cycles waiting`, ink)
    );
  }).join('');
}

// Directions that have carried something, most bytes first.
function usedLinks() {
  return S.links.filter((link) => link[6] || link[9] || link[10]).sort((a, b) => b[7] - a[7]);
}

function links() {
  const most = usedLinks().slice(0, LINKS);
  const rows = most.map(([from, port, node, to, toPort, , packets, moved, busy, under, lost]) => [
    `chip ${from} port ${port}`,
    `chip ${to} port ${toPort}`,
    number(packets),
    bytes(moved),
    percent(busy, cyclesOfSystem()),
    number(wait(C[from].nodes[node])),
    number(under),
    number(lost),
  ]);
  const columns = [['from'], ['to'], ['packets', 'n'], ['bytes', 'n'], ['busy', 'n'], ['sender waits', 'n']];
  columns.push(['under way', 'n'], ['lost', 'n']);
  const rest = `${counted(S.links.length - rows.length, 'other direction')} of links, with less or nothing`;
  const html = rows.length ? table(columns, rows) : soft('No packets.');
  const waits = soft('sender waits: cycles in which cores of the sending tile wait for something');
  section('Links', 'w6', html + waits + soft(rest));
}

// A row for each direction, with a cell for each span of the run.
function linksOverTime() {
  const spans = Math.max(1, Math.ceil(cyclesOfSystem() / S.span));
  const wide = (SPANS.wide - SPANS.left) / spans;
  const used = usedLinks().filter((link) => link[8]).slice(0, LINKS);
  if (!used.length) return;
  const cell = (cycles, i, y) => {
    const share = cycles / (Math.min((i + 1) * S.span, cyclesOfSystem()) - i * S.span);
    return (
      `<rect x="${SPANS.left + i * wide}" y="${y}" width="${wide + 0.3}" height="${SPANS.high - 3}"` +
      ` fill="${cycles ? colour(0.15 + 0.85 * share) : '#f3f5f8'}"><title>cycles ${number(i * S.span)} to ` +
      `${number(Math.min((i + 1) * S.span, cyclesOfSystem()))}: busy ${percent(share, 1)}</title></rect>`
    );
  };
  const row = ([from, port, , to, toPort, , , , , , , busy], k) =>
    `<text x="0" y="${k * SPANS.high + 11}" fill="#33404d">${from}:${port} to ${to}:${toPort}</text>` +
    busy.slice(0, spans).map((cycles, i) => cell(cycles, i, k * SPANS.high)).join('');
  const svg = `<svg viewBox="0 0 ${SPANS.wide} ${used.length * SPANS.high}" width="100%" class="spans">`;
  const legend = ramp(`100 % busy, from cycle 0 to ${number(cyclesOfSystem())}; a link is chip:port to chip:port`);
  section('Links over time', 'w12', svg + used.map(row).join('') + '</svg>' + legend);
}

function systemMap() {
  const places = placesOfChips();
  const wide = CHIP.left + CHIP.across * (Math.max(...places.map(([x]) => x)) + 1);
  const high = CHIP.top + CHIP.down * (Math.max(...places.map(([, y]) => y)) + 1);
  const svg = `<svg viewBox="0 0 ${wide} ${high}" width="100%" class="map">`;
  const html = svg + drawLinks(places) + drawChips(places) + '</svg>';
  const map = section('The system', '', html + soft('Click on a chip to see it below.'));
  map.onclick = (event) => {
    const rect = event.target.closest('rect[data-chip]');
    if (rect) show(Number(rect.dataset.chip));
  };
}

function system() {
  const columns = sideBySide(['w6 stack', systemMap], ['w6 stack', links]);
  fill(columns, [() => figures('The run', S.figures), () => figures('The host', S.host)]);
  linksOverTime();
  criticalPath(S);
  section(`Chip ${C.indexOf(D)}`, 'w12', soft(`${escaped(D.verdict)} ${escaped(D.message)}`));
}

/* Sections */

function head() {
  const D = S || C[0];
  const about = D.about.map(([name, value]) => `${name} <b>${escaped(value)}</b>`).join(' &middot; ');
  document.title = `${D.title}: ${D.verdict}`;
  document.getElementById('head').innerHTML =
    `<h1>${escaped(D.title)}</h1>` +
    `<span class="badge" style="background:var(--${D.good ? 'good' : 'bad'})">${escaped(D.verdict)}</span>` +
    `<span>${escaped(D.message)}</span>` +
    `<span class="soft">${about}</span>` +
    (D.command ? `<code class="mono">${escaped(D.command)}</code>` : '');
}

function waitsByReason() {
  const waited = (reason) => sum(D.nodes.map((node) => (node.c ? sum(node.c.map((core) => core[reason + 1])) : 0)));
  const sums = D.reasons.map((name, reason) => [name, waited(reason)]).filter((row) => row[1]);
  sums.sort((a, b) => b[1] - a[1]);
  const rows = sums.map(([name, cycles]) => [name, number(cycles), bar(cycles / sums[0][1], 110, 'wait')]);
  const html = rows.length ? table([['for'], ['cycles', 'n'], ['']], rows) : soft('No core has waited.');
  section('Waits by reason', 'w4', html);
}

function units() {
  const share = (value) => `${(100 * value).toFixed(1)} %`;
  const rows = D.uses.map(([name, mean, most]) => [name, share(mean), share(most), bar(mean, 80)]);
  const html = rows.length
    ? table([['unit'], ['busy', 'n'], ['one at most', 'n'], ['']], rows)
    : soft('Run with --timing to see for which share of the time units were busy.');
  section('Units, links and DRAM', 'w4', html);
}

// A table of parts of a whole: [whole, [name, cycles], ...].
function shares(title, width, what, [whole, ...parts], cell, kind, rest = '') {
  const most = Math.max(...parts.map(([, cycles]) => cycles));
  const rows = parts.map(([name, cycles]) => [
    cell(name),
    number(cycles),
    percent(cycles, whole),
    bar(cycles / most, 110, kind),
  ]);
  section(title, width, table([[what], ['cycles', 'n'], ['', 'n'], ['']], rows) + rest);
}

function times() {
  const [whole, ...parts] = D.spent;
  parts.sort((a, b) => b[1] - a[1]);
  if (parts.length) shares('Cycles of the cores', 'w4', 'for', [whole, ...parts], escaped, '');
}

// Which waits, in order, made the run as long as it is. of: a chip, or the system.
function criticalPath(of) {
  if (of.pathByKind.length < 2) return;
  const rest = soft('A line that has a third of the path can save a third of the run at most.');
  shares('Critical path by kind', 'w6', 'kind', of.pathByKind, escaped, '');
  shares('Critical path by line', 'w6', 'line', of.pathByLine, mono, '', rest);
}

function tilesBy(title, measure) {
  const tiles = D.nodes.map((node, i) => [node, i]).filter(([node]) => measure(node) > 0);
  tiles.sort(([a], [b]) => measure(b) - measure(a));
  const rows = tiles.slice(0, SOME).map(([node, i]) => {
    const cells = [nameOf(node), number(work(node)), number(wait(node)), node.l ? number(node.l) : ''];
    return leadingTo(i, cells);
  });
  const columns = [['tile'], ['instructions', 'n'], ['waiting', 'n'], ['last request', 'n']];
  section(title, 'w6', rows.length ? table(columns, rows) : soft('None.'));
}

function traffic() {
  const rows = D.pairs.slice(0, ROWS).map(([from, to, requests, moved]) => {
    const cells = [nameOf(D.nodes[from]), nameOf(D.nodes[to]), number(requests), bytes(moved)];
    return leadingTo(from, cells);
  });
  const columns = [['asks'], ['of'], ['requests', 'n'], ['bytes', 'n']];
  const rest = soft(`${counted(D.pairsAll, 'pair')} in all`);
  const html = rows.length ? table(columns, rows) + rest : soft('No requests.');
  section('Who talks to whom', 'w6', html);
}

function functions() {
  const all = sum(D.functions.map(([, , , executed, waited]) => executed + waited));
  const rows = D.functions.slice(0, ROWS).map(([name, file, line, executed, waited]) => [
    mono(name) + (file ? ` <span class="soft">${escaped(file.split('/').pop())}:${line}</span>` : ''),
    number(executed),
    number(waited),
    percent(executed + waited, all),
  ]);
  section('Functions', 'w6', table([['function'], ['instructions', 'n'], ['waiting', 'n'], ['', 'n']], rows));
}

function stuck() {
  if (D.stuck.length) section('Who is stuck', 'w12', D.stuck.map((line) => `<p>${mono(line)}</p>`).join(''));
}

function faults(width) {
  const rows = D.faults.map(([hazard, where, pc, cycle, text, place]) => [
    hazard ? 'hazard' : '<b>fault</b>',
    escaped(where),
    place ? mono(place) : pc,
    number(cycle),
    escaped(text),
  ]);
  const rest = D.faultsAll > rows.length ? soft(`${number(D.faultsAll)} in all`) : '';
  const html = rows.length ? table([[''], ['where'], ['at'], ['cycle', 'n'], ['what']], rows) + rest : soft('None.');
  section('Faults and hazards', width, html);
}

// The lines that take part in races. Each race is a link to its text.
function raceLines() {
  const link = (race) => `<a href="#race-${race}">${race + 1}</a>`;
  const rows = D.raceLines.map(([line, races, times, which]) => [
    mono(line),
    number(races),
    number(times),
    which.map(link).join(' ') + (which.length < races ? ' &hellip;' : ''),
  ]);
  return heading('By line') + table([['line'], ['races', 'n'], ['times', 'n'], ['which']], rows);
}

function races() {
  if (!D.checked) return section('Races', 'w6', soft('Not looked for; run with --check.'));
  const more = (text) => (text ? `<br><span class="soft">${escaped(text)}</span>` : '');
  const side = (text, caller, waited) =>
    text && `<p>${mono(text)}${more(caller && `called by ${caller}`)}${more(waited)}</p>`;
  const html = D.races.map(
    ([where, count, what, one, oneBy, oneWaited, two, twoBy, twoWaited, advice], i) =>
      `<p id="race-${i}">${i + 1}. <b>${escaped(where)}</b>, ${counted(count, 'time')}: ${escaped(what)}</p>` +
      side(one, oneBy, oneWaited) +
      side(two, twoBy, twoWaited) +
      `<p>To fix it: ${escaped(advice)}</p>`
  );
  const rest = D.racesAll > D.races.length ? soft(`${number(D.racesAll)} in all`) : '';
  const all = html.length ? raceLines() + '<hr>' + html.join('<hr>') + rest : soft('None.');
  section('Races', D.races.length ? 'w12' : 'w6', all);
}

// halves: two tables beside each other, over the whole page
function mix(halves) {
  const all = sum(D.mix.map((row) => row[1]));
  const rows = D.mix
    .slice(0, ROWS)
    .map(([name, times]) => [mono(name), number(times), percent(times, all), bar(times / D.mix[0][1], 160)]);
  const middle = halves ? Math.ceil(rows.length / 2) : rows.length;
  const part = (some) => table([['instruction'], ['times', 'n'], ['', 'n'], ['']], some);
  const html = part(rows.slice(0, middle)) + (halves ? part(rows.slice(middle)) : '');
  section('Mix of instructions', halves ? 'w12 halves' : 'w6', html);
}

let detail;

// The tile that the page shows first: one whose cores are stuck, else the one with most work.
function firstChosen() {
  const held = D.stuck.length ? Number(D.stuck[0].match(/\d+/)) : -1;
  const busiest = D.nodes.reduce((best, node, i) => (work(node) > work(D.nodes[best]) ? i : best), 0);
  const first = D.nodes.findIndex((node) => node.k === TENSIX && node.n === held);
  return first < 0 ? busiest : first;
}

// The map, the chosen tile beside it, and figures of the chip.
function chipAndTile() {
  const map = section('The chip', '', '<div id="views"></div><div id="map"></div>' + LEGEND);
  map.onclick = (event) => {
    const rect = event.target.closest('rect[data-i]');
    if (rect) choose(Number(rect.dataset.i));
  };
  const columns = sideBySide(
    ['stack beside', () => (detail = section('A tile', 'scroll', ''))],
    ['stack', () => {}],
    ['stack', () => {}]
  );
  choose(firstChosen());
  fill(columns, [() => figures('The run', D.figures), () => figures('The host', D.host), waitsByReason, units, times]);
}

function show(chip) {
  D = C[chip];
  main.innerHTML = '';
  if (S) system();
  if (D.faults.some(([hazard]) => !hazard)) faults('w12');
  if (D.races.length) races();
  stuck();
  sideBySide(['w12 chip', chipAndTile]);
  criticalPath(D);
  tilesBy('Tiles with most work', work);
  tilesBy('Tiles that wait most', wait);
  const lists = [traffic, functions];
  if (D.faults.every(([hazard]) => hazard)) lists.push(() => faults('w6'));
  if (!D.races.length) lists.push(races);
  const columns = sideBySide(['w6 stack', () => {}], ['w6 stack', () => {}]);
  fill(columns, lists);
  if (Math.abs(bottom(columns[0]) - bottom(columns[1])) > GAP) fill(columns, [() => mix(false)]);
  else mix(true);
}

head();
show(0);
