import { formatDays } from '../../../../trace/words.ts';

/** A visible time range, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The length of the shortest span in milliseconds: a microsecond. */
const SHORTEST = 0.001;

/** The minimum distance of two axis labels in pixels; steps are round, so the usual one is about 80. */
const LABEL_SPACE = 60;

/** A tick of an axis: time and label. */
export interface AxisTick {
  readonly at: number;
  readonly label: string;
}

/** A span of finite, positive length, also for invalid times in a trace. */
export function spanOf(start: number, end: number): TimeSpan {
  const from = Number.isFinite(start) ? start : 0;
  const to = Number.isFinite(end) ? end : from;
  if (to - from >= SHORTEST && Number.isFinite(to - from)) return { from, to };
  // At a huge time, adding one millisecond would not change the number.
  return { from, to: from + Math.max(1, Math.abs(from) * 1e-9) };
}

/** The position of a time in a span; 0 and 1 are its ends. */
export function shareAt({ from, to }: TimeSpan, time: number): number {
  return (time - from) / (to - from);
}

/** The time at a share of a span. */
export function timeAt({ from, to }: TimeSpan, share: number): number {
  return from + share * (to - from);
}

/** Scales a span by `factor`; the time at `share` stays in place. The result is never longer than `all`. */
export function zoomSpan(span: TimeSpan, all: TimeSpan, factor: number, share: number): TimeSpan {
  const length = Math.min(all.to - all.from, Math.max(SHORTEST, (span.to - span.from) * factor));
  const from = timeAt(span, share) - share * length;
  return fitSpan({ from, to: from + length }, all);
}

/** Moves a span by a share of its length, within `all`. */
export function panSpan(span: TimeSpan, all: TimeSpan, share: number): TimeSpan {
  const by = share * (span.to - span.from);
  return fitSpan({ from: span.from + by, to: span.to + by }, all);
}

/** The nearest span of the same length within `all`. */
export function fitSpan(span: TimeSpan, all: TimeSpan): TimeSpan {
  const length = Math.max(SHORTEST, span.to - span.from);
  if (length >= all.to - all.from) return all;
  const from = Math.max(all.from, Math.min(all.to - length, span.from));
  return { from, to: from + length };
}

/**
 * The span that shows a range: itself if the range is visible, else one of the same length that begins
 * shortly before the range.
 */
export function spanShowing(span: TimeSpan, all: TimeSpan, stretch: TimeSpan): TimeSpan {
  if (stretch.to > span.from && stretch.from < span.to) return span;
  const length = span.to - span.from;
  const from = stretch.from - length / 10;
  return fitSpan({ from, to: from + length }, all);
}

/**
 * The end of the axis while a trace is running. It leaves space ahead and grows in steps, so that bars grow
 * instead of shrinking with every frame.
 */
export function axisEnd(start: number, end: number): number {
  const length = end - start;
  if (!(length > 0)) return end;
  const step = 10 ** Math.floor(Math.log10(length));
  const factor = [1.5, 2, 3, 5, 7.5].find(each => each * step > length * 1.05) ?? 12;
  return start + factor * step;
}

/** The ticks of an axis of this width in pixels. Labels are relative to `start`. */
export function listTicks({ from, to }: TimeSpan, start: number, width: number): readonly AxisTick[] {
  const wanted = Math.max(1, Math.floor(width / LABEL_SPACE));
  const step = niceStep((to - from) / wanted);
  const first = Math.ceil((from - start) / step);
  const ticks: AxisTick[] = [];
  for (let at = first; at <= first + wanted && start + at * step <= to; at++) {
    const time = start + at * step;
    // Far from zero, numbers are coarser than the step, so ticks can coincide.
    const isNew = time > (ticks.at(-1)?.at ?? -Infinity);
    if (isNew) ticks.push({ at: time, label: formatOffset(at * step, step) });
  }
  return ticks;
}

const DAY = 86_400_000;

/**
 * The smallest suitable step of at least this length: above a second a step of clocks up to a day, else a
 * round number.
 */
function niceStep(least: number): number {
  const clock = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
  ];
  const found = least >= 1000 ? clock.find(seconds => seconds * 1000 >= least) : undefined;
  if (found !== undefined) return found * 1000;
  return least > DAY ? DAY * roundStep(least / DAY) : roundStep(least);
}

/** 1, 2, 2.5 or 5 times a power of ten, at least as large as a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  // A quarter of a small number would need one more decimal.
  const factors = power < 10 ? [1, 2, 5] : [1, 2, 2.5, 5];
  return (factors.find(factor => factor * power >= least * 0.999_999) ?? 10) * power;
}

/**
 * A time after the start, in the precision of the step between labels: `0`, `400 ms`, `1.25 s`, `2 min 5 s`,
 * `40 d`.
 */
export function formatOffset(milliseconds: number, step: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? '−' : '';
  if (size < step / 2) return '0';
  if (step >= DAY || size >= 1_000 * DAY) return sign + formatDays(size / DAY);
  if (size < 1000) return `${sign}${size.toFixed(digitsOf(step))} ms`;
  if (size < 60_000 || step < 1000) return `${sign}${(size / 1000).toFixed(digitsOf(step / 1000))} s`;
  const seconds = Math.round(size / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [
    hours > 0 ? `${hours} h` : '',
    minutes > 0 ? `${minutes} min` : '',
    rest > 0 ? `${rest} s` : '',
  ];
  return `${sign}${parts.filter(Boolean).join(' ')}`;
}

/** The number of decimals needed to distinguish two labels. */
function digitsOf(step: number): number {
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  const isWhole = Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6;
  return isWhole ? digits : Math.min(6, digits + 1);
}
