// Pan and zoom of one SVG group by mouse, touch, wheel and keyboard.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const SMALLEST = 0.004;
const LARGEST = 4;
/** A pointer that moves less than this is a click. */
const CLICK = 4;

export class Viewport {
  scale = 1;
  #x = 0;
  #y = 0;
  #box: Box = { x: 0, y: 0, width: 1, height: 1 };
  #pointers = new Map<number, { x: number; y: number }>();
  #moved = 0;
  #frame = 0;
  /** What was asked for while the picture was hidden. */
  #waiting = false;
  /** What was last to be in view, and whether it could not be brought there yet. */
  #toReveal: { box: Box; around: number; share: number; pending: boolean } | null = null;
  /** Below this scale the labels cannot be read: the first view then shows the top of the graph instead of all of it. */
  readable = 0.62;
  /** Whether the first view shows all of the graph, legible or not. */
  whole = false;
  /** Where the first view is centred if the graph is wider than it. */
  entry = 0;
  /** How the view came about: a person's choice is kept where it can be. */
  chosen: "opened" | "fitted" | "moved" = "opened";

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly group: SVGGElement,
    private readonly onChange: (scale: number, seen: Box) => void,
  ) {
    svg.addEventListener("wheel", (e) => this.#wheel(e), { passive: false });
    svg.addEventListener("pointerdown", (e) => this.#down(e));
    svg.addEventListener("pointermove", (e) => this.#move(e));
    new ResizeObserver(() => {
      if (svg.clientWidth === 0) return;
      if (this.#waiting || this.chosen === "opened") this.open();
      else if (this.chosen === "fitted") this.fit();
      if (this.#toReveal?.pending || this.chosen === "opened") this.#revealAgain();
    }).observe(svg);
    for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, (e) => this.#pointers.delete(e.pointerId));
  }

  /** Whether the gesture that just ended was a drag, whose click is not meant. */
  get dragged(): boolean {
    return this.#moved > CLICK;
  }

  get #size(): { width: number; height: number } {
    return { width: this.svg.clientWidth || 1, height: this.svg.clientHeight || 1 };
  }

  /** Everything in view. */
  fit(): void {
    const { width, height } = this.#size;
    const scale = Math.min((width - 24) / this.#box.width, (height - 24) / this.#box.height, 1.5);
    this.#place(scale, (height - this.#box.height * scale) / 2);
    this.chosen = "fitted";
  }

  /** For another picture: a person's view of the last one is kept if this one is of much the same size. */
  renew(box: Box): void {
    const before = this.#box;
    this.#box = box;
    if (!this.#toReveal?.pending) this.#toReveal = null;
    const alike = (a: number, b: number): boolean => Math.abs(a - b) <= 0.3 * Math.max(a, b);
    if (this.chosen === "fitted") this.fit();
    else if (this.chosen === "opened" || !alike(before.height, box.height) || !alike(before.width, box.width)) this.open();
    else this.#apply();
  }

  /** Everything in view if it is legible so; else the top of the graph. */
  open(): void {
    this.#waiting = this.svg.clientWidth === 0;
    if (this.#waiting) return;
    const { width, height } = this.#size;
    const wide = (width - 24) / this.#box.width;
    const all = Math.min(wide, (height - 24) / this.#box.height, 1.25 * Math.max(1, this.readable));
    if (this.whole || all >= this.readable) {
      this.#place(all, (height - this.#box.height * all) / 2);
    } else {
      // The whole width where it is legible so; what is too high is scrolled.
      const scale = Math.max(this.readable, Math.min(wide, 1.25 * this.readable));
      this.#place(scale, 4);
      const spare = width - this.#box.width * scale;
      const entry = (this.entry - this.#box.x) * scale;
      if (spare < 0) this.#x = Math.max(spare, Math.min(0, width / 2 - entry)) - this.#box.x * scale;
    }
    this.chosen = "opened";
  }

  #place(scale: number, top: number): void {
    this.scale = Math.max(SMALLEST, scale);
    this.#x = (this.#size.width - this.#box.width * this.scale) / 2 - this.#box.x * this.scale;
    this.#y = top - this.#box.y * this.scale;
    this.#apply();
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const { width, height } = this.#size;
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    const k = scale / this.scale;
    this.#x = x - (x - this.#x) * k;
    this.#y = y - (y - this.#y) * k;
    this.scale = scale;
    this.chosen = "moved";
    this.#apply();
  }

  pan(dx: number, dy: number): void {
    this.#x += dx;
    this.#y += dy;
    this.chosen = "moved";
    this.#apply();
  }

  /** Brings a point of the graph into the middle. */
  centre(at: { x: number; y: number }): void {
    const { width, height } = this.#size;
    this.#x = width / 2 - at.x * this.scale;
    this.#y = height / 2 - at.y * this.scale;
    this.chosen = "moved";
    this.#apply();
  }

  /** Moves as little as needed to show the box (in the graph's coordinates) with some room around it, but no larger share of the
   * view than given on each side. */
  reveal(box: Box, around = 60, share = 1 / 6): void {
    this.#toReveal = { box, around, share, pending: this.svg.clientWidth === 0 };
    if (this.#toReveal.pending) return;
    const { width, height } = this.#size;
    if (this.#allInView()) return;
    const room = Math.min(around, width * share, height * share);
    const left = box.x * this.scale + this.#x;
    const top = box.y * this.scale + this.#y;
    const shift = (low: number, size: number, whole: number): number =>
      low < room || size > whole - 2 * room ? room - low : low + size > whole - room ? whole - room - low - size : 0;
    const dx = shift(left, box.width * this.scale, width);
    const dy = shift(top, box.height * this.scale, height);
    if (dx === 0 && dy === 0) return;
    this.#x += dx;
    this.#y += dy;
    this.#apply();
  }

  #allInView(): boolean {
    const { width, height } = this.#size;
    const left = this.#box.x * this.scale + this.#x;
    const top = this.#box.y * this.scale + this.#y;
    return left >= 0 && top >= 0 && left + this.#box.width * this.scale <= width && top + this.#box.height * this.scale <= height;
  }

  #revealAgain(): void {
    if (this.#toReveal) this.reveal(this.#toReveal.box, this.#toReveal.around, this.#toReveal.share);
  }

  /** Like `reveal`, but near enough to read. */
  approach(box: Box): void {
    const { width, height } = this.#size;
    if (this.scale < this.readable) {
      this.scale = Math.max(0.8, this.readable);
      this.#x = width / 2 - (box.x + box.width / 2) * this.scale;
      this.#y = height / 2 - (box.y + box.height / 2) * this.scale;
      this.#apply();
    } else {
      this.reveal(box);
    }
  }

  /** Keys for the whole picture; whether the key was one. */
  key(e: KeyboardEvent): boolean {
    if (e.ctrlKey || e.metaKey || e.altKey) return false;
    const step = e.shiftKey ? 240 : 60;
    switch (e.key) {
      case "ArrowLeft":
        this.pan(step, 0);
        return true;
      case "ArrowRight":
        this.pan(-step, 0);
        return true;
      case "ArrowUp":
        this.pan(0, step);
        return true;
      case "ArrowDown":
        this.pan(0, -step);
        return true;
      default:
        return this.zoomKey(e);
    }
  }

  zoomKey(e: KeyboardEvent): boolean {
    switch (e.key) {
      case "+":
      case "=":
        this.zoom(1.25);
        return true;
      case "-":
      case "_":
        this.zoom(0.8);
        return true;
      case "0":
      case "f":
      case "F":
        this.fit();
        return true;
      default:
        return false;
    }
  }

  #apply(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.group.setAttribute("transform", `translate(${this.#x.toFixed(2)} ${this.#y.toFixed(2)}) scale(${this.scale.toFixed(4)})`);
      const { width, height } = this.#size;
      this.onChange(this.scale, {
        x: -this.#x / this.scale,
        y: -this.#y / this.scale,
        width: width / this.scale,
        height: height / this.scale,
      });
    });
  }

  #local(e: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = this.svg.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  #wheel(e: WheelEvent): void {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
    // A pinch on a touchpad arrives as a wheel with ctrlKey and small steps.
    if (e.ctrlKey || e.metaKey) this.zoom(Math.exp(-e.deltaY * lines * 0.01), this.#local(e));
    else if (e.shiftKey && e.deltaX === 0) this.pan(-e.deltaY * lines, 0);
    else this.pan(-e.deltaX * lines, -e.deltaY * lines);
  }

  #down(e: PointerEvent): void {
    if (e.button > 1) return;
    this.#pointers.set(e.pointerId, this.#local(e));
    if (this.#pointers.size === 1) this.#moved = 0;
  }

  #move(e: PointerEvent): void {
    const before = this.#pointers.get(e.pointerId);
    if (!before) return;
    const now = this.#local(e);
    const others = [...this.#pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    this.#pointers.set(e.pointerId, now);
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.#moved > CLICK && !this.svg.hasPointerCapture(e.pointerId)) this.svg.setPointerCapture(e.pointerId);
    const other = others[0];
    if (!other) {
      if (this.#moved > CLICK) this.pan(now.x - before.x, now.y - before.y);
      return;
    }
    const distance = (p: { x: number; y: number }): number => Math.hypot(p.x - other.x, p.y - other.y) || 1;
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoom(distance(now) / distance(before), middle);
  }
}
