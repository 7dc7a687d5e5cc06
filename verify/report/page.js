/* page.js - what a page on paper cannot do: motion, filters, the worst number of a cell. */
(function () {
"use strict";

const parsed = id => JSON.parse(document.getElementById(id)?.textContent || "null");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const all = (query, from = document) => [...from.querySelectorAll(query)];

/* --- motions: frames are differences of places; between two frames a point moves evenly */

const motions = parsed("motions") || {};
const LENGTH = 8, REST = 0.9, FLASH = 0.55;     /* seconds that a motion and a pause take */
const running = new Set();
let last = 0, ticking = false;

function expand(data) {
    const size = data.p[0].length, sum = new Array(size).fill(0);
    data.place = data.p.map(step => Float32Array.from(step, (d, i) => sum[i] += d));
    data.part = data.t.map(t => t / 1e5);
    delete data.p;
}

class Motion {
    constructor(figure) {
        this.figure = figure;
        this.name = figure.dataset.case;
        this.data = motions[this.name];
        this.time = 0;
        this.frame = 0;
        this.playing = this.visible = false;
        this.told = -1;
        this.lines = figure.querySelector(".body, .cursor");
        this.dots = figure.querySelector(".dots");
        this.joints = all(".ring, .joint", figure);
        this.range = figure.querySelector("input");
        this.button = figure.querySelector("button");
        this.clock = figure.querySelector(".clock");
        this.circles = all("circle", figure);
        this.start = [this.lines, this.dots, ...this.joints].map(path =>
            [path, path.getAttribute("d")]);
        figure.querySelector(".controls").hidden = this.clock.hidden = false;
        this.button.addEventListener("click", () => this.toggle());
        this.range.addEventListener("input", () => {
            this.pause();
            this.show(this.range.value / 1000);
        });
        this.say(0);
    }
    toggle() { this.playing ? this.pause() : this.play(); }
    play() {
        if (this.time >= 1)
            this.time = 0;
        this.set(true);
    }
    pause() { this.set(false); }
    set(playing) {
        this.playing = playing;
        this.figure.classList.toggle("playing", playing);
        this.button.setAttribute("aria-label", (playing ? "Pause " : "Play ") + this.name);
        schedule(this);
    }
    advance(seconds) {
        this.time += seconds / LENGTH;
        if (this.time > 1 + REST / LENGTH)
            this.time = 0;
        this.show(Math.min(this.time, 1));
    }
    /* The drawing as it was before anything moved. */
    rest() {
        this.pause();
        for (const [path, d] of this.start)
            path.setAttribute("d", d);
        this.figure.classList.remove("started");
        this.tell(-1);
    }
    /* The frame at or before a part of the time; of frames at one time the last. */
    seek(part) {
        const at = this.data.part;
        let k = this.frame < at.length && at[this.frame] <= part ? this.frame : 0;
        while (k + 1 < at.length && at[k + 1] <= part)
            k++;
        return this.frame = k;
    }
    show(part) {
        const data = this.data;
        if (!data.place)
            expand(data);
        const k = this.seek(part), a = data.place[k], b = data.place[k + 1] || a;
        const step = (data.part[k + 1] ?? 1) - data.part[k];
        const w = step > 0 ? Math.min((part - data.part[k]) / step, 1) : 0;
        const moving = a.length;
        const x = i => i < moving ? (a[i] + w * (b[i] - a[i])).toFixed(1) : data.s[i - moving];
        let lines = "", dots = "";
        for (let i = 0; i < data.l.length; i += 2) {
            const p = 2 * data.l[i], q = 2 * data.l[i + 1];
            const d = `M${x(p)} ${x(p + 1)}L${x(q)} ${x(q + 1)}`;
            if (p === q) dots += d; else lines += d;
        }
        const joints = data.j.map(k => `M${x(2 * k)} ${x(2 * k + 1)}h0`).join("");
        for (const path of this.joints)
            path.setAttribute("d", joints);
        this.lines.setAttribute("d", lines);
        this.dots.setAttribute("d", dots);
        this.time = Math.max(part, this.playing ? this.time : part);
        this.range.value = Math.round(1000 * part);
        this.figure.classList.add("started");
        this.say(part);
    }
    /* Time in words, and the events that have happened; one that has just happened flashes. */
    say(part) {
        const data = this.data, t = data.t0 + part * (data.t1 - data.t0);
        const span = Math.abs(data.t1 - data.t0);
        const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(span || 1))));
        let past = 0, now = -1;
        for (const [frame] of data.e) {
            const at = (data.part ? data.part[frame] : data.t[frame] / 1e5);
            if (part < at || !this.figure.classList.contains("started"))
                break;
            if ((this.time - at) * LENGTH < FLASH)
                now = now < 0 ? past : now;
            past++;
        }
        for (const circle of this.circles) {
            const k = +circle.dataset.k;
            circle.classList.toggle("past", k < past);
            circle.classList.toggle("now", now >= 0 && k >= now && k < past);
        }
        const event = past > 0 ? data.e[past - 1] : null;
        this.clock.textContent = `t = ${t.toFixed(digits)} s`;
        if (event) {
            const name = document.createElement(now >= 0 ? "b" : "span");
            name.className = "e" + event[3];
            name.textContent = `  ${past} of ${data.e.length}: ${event[1]} at ${event[2]} s`;
            this.clock.append(name);
        }
        this.range.setAttribute("aria-valuetext", this.clock.textContent);
        this.tell(now >= 0 ? past - 1 : -1);
    }
    /* The name of an event that has just happened, beside its place. */
    tell(k) {
        if (k === this.told)
            return;
        this.told = k;
        this.name_text?.remove();
        const circle = k >= 0 && this.circles.findLast(c => +c.dataset.k === k);
        if (!circle)
            return;
        const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        const x = +circle.getAttribute("cx"), y = +circle.getAttribute("cy");
        text.setAttribute("class", "told e" + this.data.e[k][3]);
        text.setAttribute("text-anchor", x > 2000 ? "end" : "start");
        text.setAttribute("x", x > 2000 ? x - 130 : x + 130);
        text.setAttribute("y", y > 2750 ? y - 110 : y + 60);
        text.textContent = this.data.e[k][1];
        this.name_text = circle.ownerSVGElement.appendChild(text);
    }
}

function schedule(motion) {
    if (motion.playing && motion.visible)
        running.add(motion);
    else
        running.delete(motion);
    if (running.size > 0 && !ticking) {
        ticking = true;
        last = performance.now();
        requestAnimationFrame(tick);
    }
}

function tick(now) {
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    for (const motion of running)
        motion.advance(seconds);
    ticking = running.size > 0;
    if (ticking)
        requestAnimationFrame(tick);
}

const motionOf = new Map();
for (const figure of all("figure.motion"))
    if (motions[figure.dataset.case])
        motionOf.set(figure, new Motion(figure));

let together = false;                           /* what comes into view begins to play */
const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) {
        const motion = motionOf.get(entry.target);
        motion.visible = entry.isIntersecting;
        if (together && motion.visible && !motion.playing)
            motion.play();
        schedule(motion);
    }
}, {rootMargin: "40px"});
for (const figure of motionOf.keys())
    watcher.observe(figure);

const first = motionOf.get(document.querySelector("#first figure"));
if (first && !still.matches)
    first.play();

/* --- the gallery: what is shown, and all at once */

const find = document.getElementById("find"), found = document.getElementById("found");
const cards = all(".card");
for (const filters of all(".filters"))
    filters.hidden = false;
function filter() {
    const words = find.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
        const text = (card.id.slice(5) + " " + card.dataset.classes + " " +
                      card.querySelector(".title").textContent).toLowerCase();
        card.hidden = !words.every(word => text.includes(word));
        count += !card.hidden;
    }
    found.textContent = words.length ? `${count} of ${cards.length}` : "";
}
find?.addEventListener("input", filter);
document.getElementById("play-all")?.addEventListener("click", event => {
    together = !together;
    event.target.setAttribute("aria-pressed", together);
    for (const [figure, motion] of motionOf)
        if (figure.closest(".card") && (motion.visible || !together))
            together ? motion.play() : motion.pause();
});

/* --- tables that sort by a column */

function sort(table, column, button) {
    const body = table.tBodies[0];
    const key = row => {
        const cell = row.cells[column], text = cell ? cell.textContent : "";
        const number = parseFloat(text.replace(/,/g, ""));
        return column > 0 && text !== "" ? (isNaN(number) ? 1e9 : number) : text;
    };
    const up = button.dataset.up !== "1";
    button.dataset.up = up ? "1" : "";
    for (const th of all("thead th", table))
        th.removeAttribute("aria-sort");
    button.parentNode.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (up ? 1 : -1));
    body.append(...rows.map(([, row]) => row));
}
for (const table of all("table.matrix"))
    all("thead th", table).forEach((th, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.title = "Sort by " + th.textContent;
        button.textContent = th.textContent;
        th.replaceChildren(button);
        button.addEventListener("click", () => sort(table, column, button));
    });

/* --- long tables of verdicts, one verdict at a time */

for (const table of all("table.ledger, table.claims")) {
    const rows = all("tbody tr", table).filter(row => !row.classList.contains("evidence"));
    const verdict = row => row.querySelector(".verdict").textContent;
    const counts = new Map();
    for (const row of rows)
        counts.set(verdict(row), (counts.get(verdict(row)) || 0) + 1);
    if (rows.length < 8 || counts.size < 2)
        continue;
    const select = document.createElement("select");
    select.append(new Option(`all ${rows.length}`, ""),
                  ...[...counts].map(([name, count]) => new Option(`${name}, ${count}`, name)));
    select.addEventListener("change", () => {
        for (const row of rows) {
            const next = row.nextElementSibling;
            row.hidden = select.value !== "" && verdict(row) !== select.value;
            if (next && next.classList.contains("evidence"))
                next.hidden = row.hidden;
        }
    });
    const label = document.createElement("label");
    label.append("Show ", select);
    const line = document.createElement("div");
    line.className = "filters small";
    line.append(label);
    table.closest(".scroll").before(line);
}

/* --- the worst number of a cell */

const dialog = document.getElementById("worst");
let cells = null, rows = null;

function element(name, content, className) {
    const made = document.createElement(name);
    if (className)
        made.className = className;
    made.append(...[content].flat());
    return made;
}

/* Digits on which two decimal texts agree are marked. */
function agreeing(text, other) {
    let k = 0;
    while (k < text.length && text[k] === other[k])
        k++;
    return element("dd", k > 0 ? [element("mark", text.slice(0, k)), text.slice(k)] : text,
                   "value");
}

function list(pairs) {
    const made = document.createElement("dl");
    for (const [term, value] of pairs)
        made.append(element("dt", term),
                    value instanceof Node ? value : element("dd", String(value)));
    return made;
}

const short = x => x === null || x === undefined ? "-" : String(+x.toPrecision(6));
const fixed = (x, places) => x === null || x === undefined ? "-" : x.toFixed(places);

function worstOf(cell) {
    if (!cell.least)
        return [element("p", cell.empty || "no numbers")];
    const worst = cell.least;
    return [list([
        ["Quantity", element("dd", element("code", worst.quantity))],
        ["Time", short(worst.t) + " s"],
        ["Got", agreeing(worst.got, worst.want)],
        ["Certified", agreeing(worst.want, worst.got)],
        ["Digits", `${fixed(worst.digits, 2)}, bar ${fixed(worst.bar, 2)}`],
        ["Condition", worst.condition ? worst.condition.toExponential(1) : "-"],
        ["Limited by", cell.why],
        ["Run", `${cell.integrator}, rtol ${cell.rtol}, ${cell.numbers} numbers`]])];
}

function gapOf(cell) {
    if (cell.gap === undefined || cell.gap === null)
        return [];
    const at = cell.gap_at;
    return [element("h3", "Modelling gap"), list([
        ["Largest", cell.gap.toExponential(1) + " of the exact motion"],
        ["Quantity", element("dd", element("code", at ? at.quantity : "-"))],
        ["Time", at ? short(at.t) + " s" : "-"]])];
}

function kindsOf(cell) {
    const kinds = Object.entries(cell.least_of || {});
    if (kinds.length === 0)
        return [];
    const made = element("div", [], "kinds");
    for (const [kind, digits] of kinds) {
        const bar = element("i", []);
        bar.style.width = Math.min(100, 100 * digits / 16) + "%";
        made.append(element("code", kind), bar, element("span", fixed(digits, 1)));
    }
    return [element("h3", "Fewest digits of each kind of number"), made];
}

function judgesOf(cell) {
    rows = rows || parsed("rows") || [];
    const own = rows.filter(row => row[0] === cell.case &&
                                   row[1].split(" ")[0] === cell.formulation);
    if (own.length === 0)
        return [];
    const table = element("table", element("thead", element("tr",
        ["judge", "verdict", "numbers", "digits", "above bar", "closest number"].map(text => {
            const th = element("th", text);
            th.scope = "col";
            return th;
        }))));
    const body = document.createElement("tbody");
    for (const [, solution, oracle, verdict, numbers, least, spare, worst] of own)
        body.append(element("tr", [
            element("td", oracle + (solution === cell.formulation ? "" : ` (${solution})`)),
            element("td", verdict), element("td", numbers === null ? "" : String(numbers), "n"),
            element("td", least === null ? "" : least.toFixed(1), "n"),
            element("td", spare === null ? "" : spare.toFixed(1), "n"),
            element("td", element("code", worst || ""))]));
    table.append(body);
    const region = element("div", table, "scroll");
    region.tabIndex = 0;
    return [element("h3", "All judges of this run"), region];
}

function open(index) {
    cells = cells || parsed("cells");
    const cell = cells[index];
    const title = element("h2", `${cell.case}, ${cell.formulation}`);
    title.id = "worst-title";
    const close = element("button", "Close");
    close.type = "button";
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(element("header", [title, close]), ...worstOf(cell), ...gapOf(cell),
        ...kindsOf(cell), ...judgesOf(cell), element("p", element("code",
            `saltus verify ${cell.case} -f ${cell.formulation}`)));
    dialog.showModal();
    dialog.scrollTop = 0;
}
document.addEventListener("click", event => {
    const button = event.target.closest("[data-cell]");
    if (button)
        open(+button.dataset.cell);
    else if (event.target === dialog)
        dialog.close();
});

/* --- on paper all is open, and nothing has moved */

addEventListener("beforeprint", () => {
    for (const motion of motionOf.values())
        motion.rest();
    for (const details of all("details:not([open])")) {
        details.open = true;
        details.dataset.printed = "1";
    }
    for (const image of all("img[loading]"))
        image.loading = "eager";
});
addEventListener("afterprint", () => {
    for (const details of all("details[data-printed]")) {
        details.open = false;
        delete details.dataset.printed;
    }
});
})();
