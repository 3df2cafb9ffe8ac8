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
}

export interface Drawing {
  /** Identifies the series: bars with another key replace all bars. */
  key: string;
  bars: readonly Bar[];
  trades: readonly Mark[];
  levels: readonly Level[];
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

/** How many bars have room between the newest one and the axis: there the labels of the lines stand. */
const ROOM = 9;
/** How much of a price the axis shows at least: of less, all its labels would read the same. */
const LEAST_RANGE = 0.04;

/** A market that stands still has a range of prices, too. */
function widened(measure: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const info = measure();
  if (!info?.priceRange) return info;
  const { minValue, maxValue } = info.priceRange;
  const lacking = Math.max(0, LEAST_RANGE * maxValue - (maxValue - minValue)) / 2;
  return { ...info, priceRange: { minValue: minValue - lacking, maxValue: maxValue + lacking } };
}

/** Whole seconds: the chart's unit of time. */
const seconds = (ms: number): UTCTimestamp => Math.floor(ms / 1000) as UTCTimestamp;

/** How prices and times are written. Passed in, because this file imports nothing of the panel: so none of it is loaded twice. */
export interface Writing {
  locale: string;
  price(value: number): string;
}

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
  #levels: { key: string; line: IPriceLine }[] = [];
  #shown: Drawing | undefined;
  #colours = "";

  constructor(host: HTMLElement, { locale, price }: Writing) {
    const clock = (parts: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(locale, {
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        ...parts,
      });
      return (time: Time) => format.format(Number(time) * 1000);
    };
    // Several marks within a minute would read the same without their seconds.
    const [minute, precise] = [clock({}), clock({ second: "2-digit" })];
    this.#host = host;
    this.#probe = host.appendChild(document.createElement("i"));
    this.#probe.hidden = true;
    for (const [tone, place] of Object.entries(PLACES)) this.#probe.style.setProperty(place, `var(--_${tone})`);
    this.#computed = getComputedStyle(this.#probe);
    // Draws again when the theme changes, even if the market stands still.
    const again = (): void => void (this.#shown && this.show(this.#shown));
    const themes = new MutationObserver(again);
    for (const element of [(host.getRootNode() as ShadowRoot).host, document.documentElement])
      if (element) themes.observe(element, { attributes: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", again);
    this.#unwatch = () => {
      themes.disconnect();
      scheme.removeEventListener("change", again);
    };
    this.#chart = createChart(host, {
      autoSize: true,
      // The licence's notice is text below the chart: the logo would add a style sheet that a page's policy may refuse.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.24 } },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        secondsVisible: true,
        rightOffset: ROOM,
        minBarSpacing: 2,
        tickMarkFormatter: (time: Time, type: TickMarkType) =>
          (type === TickMarkType.TimeWithSeconds ? precise : minute)(time),
      },
      localization: { locale, timeFormatter: precise },
      // The mouse wheel scrolls the page, not the chart.
      handleScroll: { mouseWheel: false, vertTouchDrag: false },
      handleScale: { mouseWheel: false },
    });
    const priceFormat = {
      type: "custom" as const,
      minMove: 0.000001,
      formatter: (value: number) => (value > 0 ? price(value) : ""),
    };
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      priceFormat,
      priceLineVisible: true,
      lastValueVisible: true,
      autoscaleInfoProvider: widened,
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
      if (before?.key !== drawing.key)
        this.#chart
          .timeScale()
          .setVisibleLogicalRange({ from: bars.length - this.#most(), to: bars.length + ROOM - 1 });
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

  /** Removes the chart. */
  remove(): void {
    this.#unwatch();
    this.#chart.remove();
    this.#probe.remove();
  }

  /** How many bars are shown at once. */
  #most(): number {
    return Math.max(30, Math.floor(this.#host.clientWidth / 9));
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

  /** A marker on the bar of the trade's time. */
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
        text: buy ? "B" : "S",
        size: 1,
      },
    ];
  }

  #level(levels: readonly Level[], anew: boolean): void {
    const keyOf = ({ price, title, tone }: Level) => `${tone} ${title} ${price}`;
    const wanted = new Map(levels.map((level) => [keyOf(level), level]));
    this.#levels = this.#levels.filter(({ key, line }) => {
      if (wanted.has(key) && !anew) return wanted.delete(key);
      this.#candles.removePriceLine(line);
      return false;
    });
    for (const [key, { price, title, tone }] of wanted) {
      const line = this.#candles.createPriceLine({
        price,
        title,
        color: this.#colour(tone),
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true,
      });
      this.#levels.push({ key, line });
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
