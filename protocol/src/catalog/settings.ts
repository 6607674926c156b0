/** Settings under `parley.`: package.json, the server and the docs read these rows. */
export const SETTINGS = [
  {
    key: 'aicl.profile',
    type: 'string',
    values: ['strict', 'chat'],
    default: 'strict',
    summary:
      'What an AICL message must have. `strict` wants the header; `chat` accepts messages without protocol, session or msg_type and checks what is present.',
  },
  {
    key: 'aicl.format.payloadWidth',
    type: 'integer',
    minimum: 40,
    default: 120,
    summary: 'The formatter wraps tensor payloads at this many characters a line.',
  },
  {
    key: 'aicf.maxFields',
    type: 'integer',
    minimum: 1,
    default: 64,
    summary: 'An AICF request with more fields is reported.',
  },
  {
    key: 'aicf.maxBodyBytes',
    type: 'integer',
    minimum: 1,
    default: 100000,
    summary: 'An AICF request with more UTF-8 bytes is reported: running servers refuse it with HTTP 413.',
  },
  {
    key: 'maxIssues',
    type: 'integer',
    minimum: 1,
    default: 1000,
    summary: 'How many issues are reported for a document; the last one says how many more there are.',
  },
] as const satisfies readonly SettingRow[];

export interface SettingRow {
  readonly key: string;
  readonly type: 'string' | 'integer';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly default: string | number;
  /** Markdown. */
  readonly summary: string;
}

type Row = (typeof SETTINGS)[number];
export type SettingKey = Row['key'];

type Wide<Default> = Default extends number ? number : string;
type ValueOf<R extends Row> = R extends { readonly values: readonly (infer V)[] } ? V : Wide<R['default']>;

/** Every setting with its value, typed by its row. */
export type Settings = { readonly [K in SettingKey]: ValueOf<Extract<Row, { key: K }>> };

const ROWS: readonly (SettingRow & { readonly key: SettingKey })[] = SETTINGS;

export const DEFAULT_SETTINGS: Settings = collect(row => row.default);

/**
 * Settings from what an editor or a user says, by key without the `parley.` prefix.
 * A value that does not fit its row is left out in favour of the default.
 */
export function readSettings(valueOf: (key: SettingKey) => unknown): Settings {
  return collect(row => {
    const value = valueOf(row.key);
    return fitsRow(row, value) ? value : row.default;
  });
}

function collect(valueOf: (row: (typeof ROWS)[number]) => unknown): Settings {
  const entries = ROWS.map(row => [row.key, valueOf(row)] as const);
  // Each value fits its row, which TypeScript cannot follow through a list of entries.
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
  return Object.fromEntries(entries) as Settings;
}

function fitsRow(row: SettingRow, value: unknown): boolean {
  if (row.type === 'integer') {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= (row.minimum ?? -Infinity);
  }
  return typeof value === 'string' && (row.values?.includes(value) ?? true);
}
