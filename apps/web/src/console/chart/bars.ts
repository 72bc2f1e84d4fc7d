/** A part of a bar, from the bottom up, in the units of the drawing. */
interface Segment {
  series: number;
  y: number;
  height: number;
}

interface Bar {
  x: number;
  width: number;
  segments: Segment[];
}

export interface Bars {
  /** The value at the top of the drawing, at least 1. */
  top: number;
  /** The values of the lines behind the bars, from 0 to `top`. */
  ticks: number[];
  bars: Bar[];
}

/** The least round number (1, 2 or 5 with zeros) that is no smaller. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10;
  return factor * power;
};

/** A part that is there stays visible, however small it is. */
const LEAST_HEIGHT = 2;

/**
 * The geometry of stacked bars: `values[bar][series]`, in a drawing of `width` by `height` whose y grows downwards.
 * `gap` is the share of a bar's room that stays empty.
 */
export const layOutBars = (
  values: readonly (readonly number[])[],
  { width, height, gap = 0.3 }: { width: number; height: number; gap?: number },
): Bars => {
  const sums = values.map((parts) => parts.reduce((sum, part) => sum + part, 0));
  const most = Math.max(1, ...sums);
  // Half of the top has a line too, and nobody counts halves.
  const top = [4, 6].find((each) => most <= each) ?? roundUp(most);
  const room = width / Math.max(1, values.length);
  const bars = values.map((parts, index) => {
    let floor = height;
    const segments = parts.flatMap((part, series) => {
      if (part === 0) return [];
      const tall = Math.max(LEAST_HEIGHT, (part / top) * height);
      floor = Math.max(0, floor - tall);
      return [{ series, y: floor, height: tall }];
    });
    return { x: (index + gap / 2) * room, width: room * (1 - gap), segments };
  });
  return { top, ticks: [0, top / 2, top], bars };
};
