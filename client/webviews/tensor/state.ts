import type { Slicing } from './axes.ts';
import type { ViewName } from './view.ts';

/** What the page keeps while its panel is hidden. */
export interface PageState {
  /** The subject that slicing and selection belong to. */
  readonly subject: string;
  readonly tab: ViewName;
  readonly slicing: Slicing;
  readonly selected: number;
  /** What the tabs keep, by their own keys. */
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

/** Reads what was kept; what is missing or of another version begins anew. */
export function readState(kept: unknown): PageState {
  if (!isRecord(kept)) return NEW_STATE;
  const { subject, tab, slicing, selected, choices } = kept;
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
  // JSON leaves out what is undefined.
  return {
    rows: isIndex(rows) ? rows : undefined,
    columns: isIndex(columns) ? columns : undefined,
    at: at.map(index => (isIndex(index) ? index : 0)),
  };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
