// How a panel looks with other settings of the browser or the page: contrast, forced colours, zoom, a page's own style.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";

/** What docs/panel.md says a page can set. */
const docs = await readFile("docs/panel.md", "utf8");
const styles = docs.slice(docs.indexOf("## Styles"), docs.indexOf("## What a keystroke costs"));
const PARTS = [...styles.slice(styles.indexOf("::part()")).matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
const PROPERTIES = [...styles.matchAll(/`(--desk-[a-z0-9-]+)`/g)].map(([, name]) => name);
const COLOURS = PROPERTIES.slice(0, PROPERTIES.indexOf("--desk-font"));

/** The computed colours of each element, with those that it draws before and after itself. */
const colours = (root) => {
  const parts = [root.host, ...root.querySelectorAll("*")].flatMap((part) => [
    getComputedStyle(part),
    getComputedStyle(part, "::before"),
  ]);
  const names = [
    "color",
    "background-color",
    "border-top-color",
    "border-bottom-color",
    "border-left-color",
    "outline-color",
    "background-image",
    "fill",
    "stroke",
  ];
  return parts.map((style) => names.map((name) => style.getPropertyValue(name)).join(" ")).join("\n");
};

await inEachBrowser((at) => {
  /** A page's own style: its policy allows no `<style>`. */
  const style = (text) =>
    at.panel.page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, text);
  const quoted = async (amount) => {
    await at.panel.write("amount", amount);
    await at.panel.untilText(".quote", "≈");
  };

  test("a page sets each colour by the property that is documented, and it is seen", async () => {
    const panel = await at.open();
    assert.ok(COLOURS.length >= 13, COLOURS.join());
    const value = (at) => `rgb(${at + 1}, 254, ${200 - at})`;
    await style(`launchpad-desk { ${COLOURS.map((name, at) => `${name}: ${value(at)};`).join(" ")} }`);
    const seen = [];
    for (const [side, amount] of [
      ["buy", "0.5"],
      ["buy", "1"],
      ["buy", "2"],
      ["sell", "5"],
    ]) {
      await panel.click(`.sides .${side}`);
      await panel.write("amount", amount);
      seen.push(await panel.inside(colours));
      await panel.click(".send");
      if (amount === "0.5") await panel.untilText(".attempt", "Landed");
      seen.push(await panel.inside(colours));
    }
    assert.deepEqual(
      COLOURS.filter((_name, at) => !seen.some((text) => text.includes(value(at)))),
      [],
    );
  });

  test("a page sets fonts, sizes, spacing and the chart's height", async () => {
    const panel = await at.open();
    await style(
      "launchpad-desk { --desk-font: Courier; --desk-mono: Georgia; --desk-text-12: 13px; --desk-text-14: 15px; --desk-text-16: 17px; --desk-text-20: 21px; --desk-text-32: 33px; --desk-gap: 7px; --desk-radius: 3px; --desk-chart-height: 401px }",
    );
    const of = (selector, name) =>
      panel.inside(
        (root, selector, name) => getComputedStyle(selector ? root.querySelector(selector) : root.host)[name],
        selector,
        name,
      );
    const wanted = [
      ["", "fontFamily", "Courier"],
      [".mono", "fontFamily", "Georgia"],
      [".field > label", "fontSize", "13px"],
      ["", "fontSize", "15px"],
      ["#wallet", "fontSize", "17px"],
      [".symbol", "fontSize", "21px"],
      [".price .large", "fontSize", "33px"],
      [".desk", "rowGap", "7px"],
      [".ticket", "borderTopLeftRadius", "3px"],
      [".chart", "height", "401px"],
    ];
    for (const [selector, name, value] of wanted) assert.equal(await of(selector, name), value, `${selector} ${name}`);
  });

  test("a page reaches each part that is documented", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "none" }] } });
    await panel.click(".world [aria-controls=drawer]");
    await panel.click("#tab-bundle");
    await quoted("0.1");
    assert.ok(PARTS.includes("send") && PARTS.length >= 12, PARTS.join());
    // `notice` says how a bundle ended.
    await panel.write("bundle-total", "0.1");
    await panel.press(".bundle button", "Same for each");
    await panel.click(".bundle .send");
    await panel.untilText(".bundle .notice", "Landed");
    await style(PARTS.map((part, at) => `launchpad-desk::part(${part}) { scroll-margin-top: ${at + 1}px }`).join(" "));
    const got = await panel.inside(
      (root, parts) =>
        parts.map((part) =>
          [...root.querySelectorAll(`[part~=${part}]`)].map((element) => getComputedStyle(element).scrollMarginTop),
        ),
      PARTS,
    );
    for (const [at, margins] of got.entries()) {
      assert.ok(margins.length, `there is no ${PARTS[at]}`);
      for (const margin of margins) assert.equal(margin, `${at + 1}px`, PARTS[at]);
    }
  });

  test("how a page spaces, writes and directs its own texts does not leak in", async () => {
    const panel = await at.open();
    const texts = () =>
      panel.inside((root) =>
        [".send", ".field > label", "[name=amount]", ".notice", ".tablist button", ".name"].map((selector) => {
          const style = getComputedStyle(root.querySelector(selector));
          const names = ["letterSpacing", "wordSpacing", "textTransform", "textIndent", "fontStyle", "lineHeight"];
          return [...names, "textAlign", "whiteSpace", "direction", "fontWeight"].map((name) => style[name]).join();
        }),
      );
    const before = await texts();
    await style(
      "body { letter-spacing: 7px; word-spacing: 9px; text-transform: uppercase; text-indent: 20px; font: italic 700 30px/3 serif; text-align: right; white-space: pre; direction: rtl }",
    );
    assert.deepEqual(await texts(), before);
  });

  test("every digit is as wide as the next", async () => {
    const panel = await at.open();
    await panel.write("slippage", "5");
    await quoted("1");
    await panel.send("Landed");
    await panel.click("#tab-bundle");
    const others = await panel.inside((root) =>
      [...root.querySelectorAll("*")]
        .filter(
          (part) =>
            (/\d/.test(part.value ?? "") ||
              [...part.childNodes].some((node) => node.nodeType === 3 && /\d/.test(node.data))) &&
            getComputedStyle(part).fontVariantNumeric !== "tabular-nums",
        )
        .map((part) => part.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(others, []);
  });

  for (const [what, size, css] of [
    ["at 200 % zoom of a window of 1280", { width: 640, height: 400 }, ""],
    ["at 400 % zoom of it", { width: 320, height: 256 }, ""],
    ["with text of twice the size", { width: 1280, height: 800 }, ":root { font-size: 200% }"],
  ]) {
    test(`nothing is lost ${what}`, async () => {
      const { panel } = at;
      await panel.page.setViewport(size);
      await at.open();
      await style(css);
      await panel.write("slippage", "5");
      await quoted("1");
      await panel.send("Landed");
      for (const tab of ["positions", "trades", "bundle"]) {
        await panel.press(`#tab-${tab}`);
        const lost = await panel.inside((root) => {
          const seen = [
            ...root.querySelectorAll("button, label, input, select, summary, dt, dd, p, h2, th, td, .figure, .aside"),
          ].filter(
            (part) =>
              part.checkVisibility() &&
              !part.closest(".spoken, .sheet thead") &&
              part.getBoundingClientRect().width > 1,
          );
          const wide = document.documentElement.scrollWidth;
          const outside = seen
            .filter((part) => !part.closest(".scroll, .table-frame, .trades"))
            .filter(
              (part) => part.getBoundingClientRect().right > innerWidth + 1 || part.getBoundingClientRect().left < -1,
            );
          const cut = seen.filter(
            (part) =>
              part.localName !== "input" &&
              part.scrollWidth > part.clientWidth + 1 &&
              part.clientWidth &&
              getComputedStyle(part).overflowX !== "visible",
          );
          return [
            ...(wide > innerWidth ? [`scrolls to ${wide}`] : []),
            ...outside.map((part) => `outside: ${part.outerHTML.slice(0, 120)}`),
            ...cut.map((part) => `cut: ${part.innerText.trim()}`),
          ];
        });
        assert.deepEqual(lost, [], tab);
      }
    });
  }

  // Firefox's driver cannot ask for these.
  if (at.browser === "firefox") return;
  const emulate = async (name, value) => {
    const session = await at.panel.page.createCDPSession();
    await session.send("Emulation.setEmulatedMedia", { features: [{ name, value }] });
    assert.ok(await at.panel.page.evaluate((query) => matchMedia(query).matches, `(${name}: ${value})`));
  };

  test("with more contrast all text and every line stand out, in both themes", async () => {
    const panel = await at.open();
    await emulate("prefers-contrast", "more");
    await quoted("2");
    for (const theme of ["light", "dark"]) {
      await panel.inside((root, theme) => root.host.setAttribute("theme", theme), theme);
      const weak = await panel.inside((root) => {
        const light = (colour) => {
          const [red, green, blue] = colour
            .match(/[\d.]+/g)
            .slice(0, 3)
            .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const contrast = (one, other) => {
          const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        };
        const card = getComputedStyle(root.querySelector(".ticket")).backgroundColor;
        const texts = [".field > label", ".aside", ".unit", ".quote .least", ".tablist button", ".facts dt"].map(
          (selector) => [selector, getComputedStyle(root.querySelector(selector)).color, 7],
        );
        const lines = [".ticket", ".card.chart", ".chips button", "#wallet"].map((selector) => [
          selector,
          getComputedStyle(root.querySelector(selector)).borderTopColor,
          3,
        ]);
        return [...texts, ...lines]
          .map(([selector, colour, least]) => [selector, contrast(colour, card), least])
          .filter(([, found, least]) => found < least);
      });
      assert.deepEqual(weak, [], theme);
    }
  });

  test("in forced colours the button, the meter and whatever is chosen are seen", async () => {
    const panel = await at.open();
    await emulate("forced-colors", "active");
    for (const amount of ["", "0.5", "2", "20"]) {
      await panel.write("amount", amount);
      const { width, border, background, text } = await panel.inside((root) => {
        const style = getComputedStyle(root.querySelector(".send"));
        return {
          width: parseFloat(style.borderTopWidth),
          border: style.borderTopColor,
          background: style.backgroundColor,
          text: style.color,
        };
      });
      assert.ok(width >= 2, `a border of ${width} px with ${amount}`);
      assert.notEqual(border, background, amount);
      assert.notEqual(text, background, amount);
    }
    const meter = await panel.inside((root) => {
      const meter = root.querySelector(".quote .gauge");
      const [{ borderTopWidth, backgroundColor }, { fill }] = [meter, meter.firstElementChild].map((part) =>
        getComputedStyle(part),
      );
      return { height: meter.getBoundingClientRect().height, borderTopWidth, isSeen: fill !== backgroundColor };
    });
    assert.ok(meter.height >= 5);
    assert.deepEqual([meter.borderTopWidth, meter.isSeen], ["1px", true]);
    const line = () => panel.inside((root) => getComputedStyle(root.querySelector(".amount .control")).borderTopStyle);
    assert.equal(await line(), "solid");
    await panel.write("amount", "1.000,5");
    await panel.page.keyboard.press("Tab");
    await panel.until("the mark of a wrong field", async () => (await line()) === "dashed");
    await panel.write("amount", "2");
    // Each kind of what is chosen, beside one that is not.
    await panel.click(".others");
    await panel.until("the list", () => panel.$(".market-list"));
    await panel.write("slippage", "5");
    const pairs = [
      [".sides", "aria-pressed"],
      [".slippage .chips", "aria-pressed"],
      [".priority .chips", "aria-pressed"],
      [".chart .switch", "aria-pressed"],
      [".tablist", "aria-selected"],
      [".market-list", "aria-current"],
    ];
    const alike = () =>
      panel.inside((root, pairs) => {
        const looks = (part) => {
          const { borderBlockEndColor, borderBlockEndWidth, backgroundColor, borderBlockStartColor } =
            getComputedStyle(part);
          return [borderBlockEndColor, borderBlockEndWidth, backgroundColor, borderBlockStartColor].join();
        };
        const empty = [];
        for (const [group, state] of pairs) {
          const [chosen, other] = ["true", "false"].map((value) => root.querySelector(`${group} [${state}=${value}]`));
          if (
            !chosen ||
            !other ||
            looks(chosen) === looks(other) ||
            parseFloat(getComputedStyle(chosen).borderBlockEndWidth) < 2
          )
            empty.push(group);
        }
        return empty;
      }, pairs);
    await panel.until("the chosen ones to look different", async () => !(await alike()).length);
  });
});
