import { isRecord } from '../../../core/guard.ts';
import type { Slicing } from './axes.ts';
import type { ViewName } from './view.ts';

/** The state of the page, stored while its panel is hidden. */
export interface PageState {
  /** The id of the subject of `slicing` and `selected`. */
  readonly subject: string;
  readonly tab: ViewName;
  readonly slicing: Slicing;
  readonly selected: number;
  /** The stored choices of the tabs, by key. */
  readonly choices: Readonly<Record<string, string>>;
}

const VIEW_NAMES: readonly ViewName[] = ['grid', 'picture', 'histogram', 'bytes', 'compare'];

const NEW_STATE: PageState = {
  subject: '',
  tab: 'grid',
  slicing: { rows: undefined, columns: undefined, at: [] },
  selected: 0,
  choices: {},
};

/** Reads a stored state. Missing or invalid parts get their defaults. */
export function readState(stored: unknown): PageState {
  if (!isRecord(stored)) return NEW_STATE;
  const { subject, tab, slicing, selected, choices } = stored;
  const entries = isRecord(choices) ? Object.entries(choices) : [];
  return {
    subject: typeof subject === 'string' ? subject : '',
    tab: VIEW_NAMES.find(name => name === tab) ?? 'grid',
    slicing: readSlicing(slicing) ?? NEW_STATE.slicing,
    selected: isIndex(selected) ? selected : 0,
    choices: Object.fromEntries(
      entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    ),
  };
}

function readSlicing(value: unknown): Slicing | undefined {
  if (!isRecord(value) || !Array.isArray(value['at'])) return undefined;
  const { rows, columns } = value;
  const at: readonly unknown[] = value['at'];
  // JSON omits undefined values.
  return {
    rows: isIndex(rows) ? rows : undefined,
    columns: isIndex(columns) ? columns : undefined,
    at: at.map(index => (isIndex(index) ? index : 0)),
  };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
