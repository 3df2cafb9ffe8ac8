// The candles on their canvas. The only file that needs the chart library, so it is loaded when there is something to draw.

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  HistogramSeries,
  LineStyle,
  createChart,
  createSeriesMarkers,
  TickMarkType,
} from "lightweight-charts";
import type {
  AutoscaleInfo,
  CandlestickData,
  HistogramData,
  IChartApi,
  IPriceLine,
  ISeriesApi,
  ISeriesMarkersPluginApi,
  SeriesMarker,
  Time,
  UTCTimestamp,
} from "lightweight-charts";
import { MARGINS, ROOM, clock, day, messages, price, rangeOf, shownAtOnce, wordsOfBar } from "../later/kit.js";

/** A candle as it is drawn: times in milliseconds, prices in lamports per whole token. */
export interface Bar {
  atMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** SOL traded. */
  volume: number;
}

/** A trade of the user's own. */
export interface Mark {
  atMs: number;
  side: "buy" | "sell";
}

/** A price line with a label. */
export interface Level {
  price: number;
  title: string;
  tone: "buy" | "sell" | "accent";
  /** For one that can be dragged. */
  readonly drag?: {
    /** Its label at another price. */
    title(price: number): string;
    /** It was dropped there. */
    drop(price: number): void;
  };
}

export interface Drawing {
  /** Identifies the series: bars with another key replace all bars. */
  key: string;
  bars: readonly Bar[];
  trades: readonly Mark[];
  levels: readonly Level[];
}

interface Line {
  key: string;
  line: IPriceLine;
  level: Level;
}

/** The theme colours that the drawing needs, each with the probe's property that has it: all are read at once. */
const PLACES = {
  quiet: "color",
  line: "background-color",
  raised: "border-top-color",
  buy: "border-right-color",
  sell: "border-bottom-color",
  edge: "border-left-color",
  accent: "outline-color",
} as const;
type Tone = keyof typeof PLACES;

/** How near to a line it is taken hold of, in pixels, by a pointer that is exact and by a finger. */
const NEAR: Readonly<Record<string, number>> & { mouse: number } = { mouse: 6, touch: 16 };

/** A finger that moves up or down scrolls the page. */
const HANDLED = { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false };

const msOf = (time: Time): number => Number(time) * 1000;
/** Whole seconds: the chart's unit of time. */
const seconds = (ms: number): UTCTimestamp => Math.floor(ms / 1000) as UTCTimestamp;

export class ChartCanvas {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<"Candlestick">;
  readonly #volume: ISeriesApi<"Histogram">;
  readonly #marks: ISeriesMarkersPluginApi<Time>;
  readonly #host: HTMLElement;
  /** An element that has the theme's colours: a canvas cannot read custom properties. */
  readonly #probe: HTMLElement;
  readonly #computed: CSSStyleDeclaration;
  readonly #unwatch: () => void;
  /** Red, green and blue of each colour. */
  #palette = new Map<Tone, string>();
  #levels: Line[] = [];
  readonly #words: HTMLElement;
  /** The line that is dragged, and where it is. */
  #dragged: { line: IPriceLine; drag: NonNullable<Level["drag"]>; price: number } | undefined;
  /** Whether the pointer has moved here: a page that is scrolled under it goes on scrolling. */
  #isPointed = false;
  #shown: Drawing | undefined;
  #colours = "";

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#probe = host.appendChild(document.createElement("i"));
    this.#probe.hidden = true;
    // In forced colours, too, a rise looks other than a fall.
    this.#probe.style.setProperty("forced-color-adjust", "none");
    for (const [tone, place] of Object.entries(PLACES)) this.#probe.style.setProperty(place, `var(--_${tone})`);
    this.#computed = getComputedStyle(this.#probe);
    // Draws again when the theme changes, even if the market stands still.
    const again = (): void => void (this.#shown && this.show(this.#shown));
    const themes = new MutationObserver(again);
    for (const element of [(host.getRootNode() as ShadowRoot).host, document.documentElement])
      if (element) themes.observe(element, { attributes: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", again);
    const gone = new AbortController();
    this.#unwatch = () => {
      themes.disconnect();
      scheme.removeEventListener("change", again);
      gone.abort();
    };
    this.#listen(gone.signal);
    this.#chart = createChart(host, {
      autoSize: true,
      // The licence's notice is text below the chart: the logo would add a style sheet that a page's policy may refuse.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: MARGINS },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        secondsVisible: true,
        rightOffset: ROOM,
        minBarSpacing: 2,
        tickMarkFormatter: (time: Time, type: TickMarkType) =>
          // Several marks within a minute would read the same without their seconds.
          type < TickMarkType.Time
            ? day(msOf(time))
            : clock(msOf(time)).slice(0, type === TickMarkType.TimeWithSeconds ? undefined : 5),
      },
      localization: { locale: "en", timeFormatter: (time: Time) => `${day(msOf(time))}, ${clock(msOf(time))}` },
      handleScroll: HANDLED,
    });
    this.#words = host.appendChild(document.createElement("p"));
    this.#words.className = "under-pointer";
    this.#words.ariaHidden = "true";
    this.#chart.subscribeCrosshairMove(({ time }) => {
      const bar = time === undefined ? undefined : this.#shown?.bars.find(({ atMs }) => seconds(atMs) === time);
      this.#words.textContent = bar ? wordsOfBar(bar) : "";
    });
    this.#chart.subscribeDblClick(() => this.#fit());
    const priceFormat = {
      type: "custom" as const,
      minMove: 0.000001,
      formatter: (value: number) => (value > 0 ? price(value) : ""),
    };
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      priceFormat,
      priceLineVisible: true,
      lastValueVisible: true,
      autoscaleInfoProvider: (measure: () => AutoscaleInfo | null) => this.#ranged(measure()),
    });
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: { type: "volume" },
    });
    this.#chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#marks = createSeriesMarkers(this.#candles);
  }

  /** Draws what has changed since the last call. */
  show(drawing: Drawing): void {
    const colours = this.#dress();
    const before = this.#shown;
    this.#shown = drawing;
    const { bars, trades: marks, levels } = drawing;
    const kept =
      before?.key === drawing.key && before.bars[0]?.atMs === bars[0]?.atMs && before.bars.length <= bars.length;
    if (!kept || colours) {
      this.#candles.setData(bars.map(candle));
      this.#volume.setData(bars.map((bar) => this.#column(bar)));
      if (before?.key !== drawing.key) this.#fit();
    } else {
      for (const bar of bars.slice(Math.max(0, before.bars.length - 1))) {
        this.#candles.update(candle(bar));
        this.#volume.update(this.#column(bar));
      }
    }
    if (!kept || colours || before.trades.length !== marks.length)
      this.#marks.setMarkers(marks.flatMap((mark) => this.#marker(mark, bars)));
    this.#level(levels, colours);
  }

  remove(): void {
    this.#unwatch();
    this.#chart.remove();
    this.#probe.remove();
    this.#words.remove();
  }

  /** Shows the newest bars, and all prices of them. */
  #fit(): void {
    const { length } = this.#shown?.bars ?? [];
    const from = length - shownAtOnce(length, this.#host.clientWidth);
    this.#chart.priceScale("right").applyOptions({ autoScale: true });
    this.#chart.timeScale().setVisibleLogicalRange({ from, to: length + ROOM - 1 });
  }

  #ranged(info: AutoscaleInfo | null): AutoscaleInfo | null {
    if (!info?.priceRange) return info;
    const { minValue, maxValue } = info.priceRange;
    const levels = this.#shown?.levels ?? [];
    const [least, most] = rangeOf(minValue, maxValue, levels);
    return { ...info, priceRange: { minValue: least, maxValue: most } };
  }

  /** What the chart library does not do: it leaves a page's scrolling alone, and lines can be dragged. */
  #listen(signal: AbortSignal): void {
    const [host, listens] = [this.#host, { signal, capture: true }];
    const at = ({ clientY }: PointerEvent): number => clientY - host.getBoundingClientRect().top;
    host.addEventListener("wheel", (event) => void (this.#isPointed || event.stopPropagation()), listens);
    document.addEventListener("scroll", () => (this.#isPointed = false), listens);
    host.addEventListener(
      "pointerdown",
      (event) => {
        const held = event.isPrimary && event.button === 0 ? this.#near(at(event), event.pointerType) : undefined;
        if (!held?.level.drag) return;
        this.#dragged = { line: held.line, drag: held.level.drag, price: held.level.price };
        host.setPointerCapture(event.pointerId);
        this.#chart.applyOptions({ handleScroll: false, handleScale: false });
      },
      listens,
    );
    host.addEventListener(
      "pointermove",
      (event) => {
        this.#isPointed = true;
        if (!this.#dragged) {
          host.style.cursor = this.#near(at(event), event.pointerType) ? "ns-resize" : "";
          return;
        }
        const price = this.#candles.coordinateToPrice(at(event));
        if (price === null || !(price > 0)) return;
        this.#dragged.price = price;
        this.#dragged.line.applyOptions({ price, title: this.#dragged.drag.title(price) });
      },
      listens,
    );
    const end = (isDropped: boolean): void => {
      const dragged = this.#dragged;
      if (!dragged) return;
      this.#dragged = undefined;
      this.#chart.applyOptions({ handleScroll: HANDLED, handleScale: true });
      if (isDropped) dragged.drag.drop(dragged.price);
      // Where it stands now is what the plan says, whatever has become of it.
      if (this.#shown) this.#level(this.#shown.levels, true);
    };
    host.addEventListener("pointerup", () => end(true), listens);
    host.addEventListener("pointercancel", () => end(false), listens);
    // A finger on a line moves it, not the page.
    const hold = (event: TouchEvent): void => void (this.#dragged && event.preventDefault());
    for (const kind of ["touchstart", "touchmove"] as const)
      host.addEventListener(kind, hold, { ...listens, passive: false });
  }

  /** The line near this height that can be dragged. */
  #near(height: number, pointer: string): Line | undefined {
    return this.#levels.find(({ level: { drag, price } }) => {
      const far = (this.#candles.priceToCoordinate(price) ?? Infinity) - height;
      return drag && Math.abs(far) <= (NEAR[pointer] ?? NEAR.mouse);
    });
  }

  #colour(tone: Tone, alpha = 1): string {
    return `rgba(${this.#palette.get(tone)}, ${alpha})`;
  }

  /** Applies the theme's colours; returns whether they have changed. */
  #dress(): boolean {
    const read = Object.entries(PLACES).map(
      ([tone, place]) => [tone as Tone, this.#computed.getPropertyValue(place)] as const,
    );
    const colours = read.join();
    if (colours === this.#colours) return false;
    this.#colours = colours;
    this.#palette = new Map(
      read.map(([tone, colour]) => [tone, (colour.match(/[\d.]+/g) ?? []).slice(0, 3).join(", ")]),
    );
    const [text, raised, buy, sell] = [
      this.#colour("quiet"),
      this.#colour("raised"),
      this.#colour("buy"),
      this.#colour("sell"),
    ];
    const { fontFamily } = getComputedStyle(this.#host);
    this.#chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: "transparent" }, textColor: text, fontFamily },
      grid: { vertLines: { color: this.#colour("line", 0.45) }, horzLines: { color: this.#colour("line", 0.45) } },
      crosshair: {
        vertLine: { color: text, labelBackgroundColor: this.#colour("edge") },
        horzLine: { color: text, labelBackgroundColor: this.#colour("edge") },
      },
    });
    // A rise is hollow and a fall is filled, so that they differ by more than colour.
    this.#candles.applyOptions({
      upColor: raised,
      borderUpColor: buy,
      wickUpColor: buy,
      downColor: sell,
      borderDownColor: sell,
      wickDownColor: sell,
      priceLineColor: text,
    });
    return true;
  }

  #column({ atMs, open, close, volume }: Bar): HistogramData {
    return { time: seconds(atMs), value: volume, color: this.#colour(close < open ? "sell" : "buy", 0.35) };
  }

  #marker({ atMs, side }: Mark, bars: readonly Bar[]): SeriesMarker<Time>[] {
    const bar = bars.filter((bar) => bar.atMs <= atMs).at(-1);
    if (!bar) return [];
    const buy = side === "buy";
    return [
      {
        time: seconds(bar.atMs),
        position: buy ? "belowBar" : "aboveBar",
        shape: buy ? "arrowUp" : "arrowDown",
        color: this.#colour(side),
        text: messages.chart.marks[side],
        size: 1,
      },
    ];
  }

  #level(levels: readonly Level[], anew: boolean): void {
    if (this.#dragged) return;
    const keyOf = ({ price, title, tone }: Level) => `${tone} ${title} ${price}`;
    const wanted = new Map(levels.map((level) => [keyOf(level), level]));
    this.#levels = this.#levels.flatMap(({ key, line }) => {
      const level = wanted.get(key);
      if (level && !anew) return wanted.delete(key) ? [{ key, line, level }] : [];
      this.#candles.removePriceLine(line);
      return [];
    });
    for (const [key, level] of wanted) {
      const { price, title, tone } = level;
      const line = this.#candles.createPriceLine({
        price,
        title,
        color: this.#colour(tone),
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true,
      });
      this.#levels.push({ key, line, level });
    }
  }
}

const candle = ({ atMs, open, high, low, close }: Bar): CandlestickData => ({
  time: seconds(atMs),
  open,
  high,
  low,
  close,
});
