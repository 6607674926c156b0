import { SEVERITIES, type Severity } from '../text/issue.ts';
import { AGENT_JSON_RULES } from './agent-json-rules.ts';
import { AICF_RULES } from './aicf-rules.ts';
import { AICL_RULES } from './aicl-rules.ts';
import { DEFAULT_ENCODING, ENCODINGS } from './costs.ts';
import { protocolOfFile, type ProtocolName } from './protocols.ts';
import type { RuleRow } from './rule-row.ts';
import { DEEPEST_CALL } from './trace-names.ts';
import { REQUEST_RULES } from './rules.ts';

/** Settings under `parley.`; package.json, the server and the documentation use these rows. */
export const SETTINGS = [
  {
    key: 'aicl.profile',
    type: 'string',
    values: ['strict', 'chat'],
    default: 'strict',
    summary:
      'What an AICL message must have. `strict` requires the header; `chat` accepts messages without protocol, session or msg_type and checks what is present.',
  },
  {
    key: 'aicl.format.style',
    type: 'string',
    values: ['indented', 'compact'],
    default: 'indented',
    summary:
      'How the formatter lays out an AICL message: `indented` gives each field a line, `compact` each message, its tensor payloads included.',
  },
  {
    key: 'aicl.format.payloadWidth',
    type: 'integer',
    minimum: 40,
    default: 120,
    summary:
      'The formatter wraps tensor payloads at this many characters a line; the style `compact` wraps none.',
  },
  {
    key: 'aicf.dialect',
    type: 'string',
    values: ['auto', 'rpc', 'context'],
    default: 'auto',
    summary:
      'How `.aicf` files are read: `rpc` as AICF-RPC, `context` as AI Context Format memory files, `auto` as what the first lines of each file look like.',
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
  {
    key: 'trace.depthLimit',
    type: 'integer',
    minimum: 1,
    default: DEEPEST_CALL,
    summary:
      'The greatest depth of a call that passes the recursion guard: deeper calls are marked in traces, and refused by recordings with a guard.',
  },
  {
    key: 'trace.keepTraces',
    type: 'integer',
    minimum: 0,
    default: 50,
    summary:
      'How many traces of earlier windows are kept, the newest ones and those that are pinned. They are stored in the storage folder of VS Code, not in the workspace.',
  },
  {
    key: 'trace.keepMegabytes',
    type: 'integer',
    minimum: 1,
    default: 500,
    summary:
      'How many megabytes of traces are kept on disk: beyond that the oldest files of about 64 MB are deleted, except pinned traces and files that are being written.',
  },
  {
    key: 'trace.collector',
    type: 'collector',
    default: {},
    summary:
      'The OpenTelemetry collector to which `Parley: Telemetry…` sends traces, such as Jaeger, Phoenix or Langfuse: `{ "url": "http://localhost:4318", "headers": { "Authorization": "Bearer ${secret:langfuse}" } }`. With `"content": true` it also gets the content of requests and replies. Only the user can set it, not a folder.',
  },
  {
    key: 'trace.secretNames',
    type: 'names',
    default: [],
    summary:
      'Names of headers, parameters and JSON members whose values are secret besides those that Parley knows, in any case: `["X-Tenant-Pin"]`. They are replaced in traces and recordings that begin later. Only the user can set it.',
  },
  {
    key: 'inlayHints.enabled',
    type: 'boolean',
    default: true,
    summary:
      'Hints in the text: the names of arguments in an AICF `CALL`, and the size and statistics of a tensor before its data.',
  },
  {
    key: 'tokens.encoding',
    type: 'string',
    values: ENCODINGS.map(({ name }) => name),
    default: DEFAULT_ENCODING,
    summary: `The encoding by which tokens are counted: ${ENCODINGS.map(({ name, models }) => `\`${name}\` is that of ${models}`).join(', ')}.`,
  },
  {
    key: 'tokens.statusBar',
    type: 'boolean',
    default: true,
    summary:
      'Tokens and bytes of the message under the cursor in the status bar. The encoding is loaded, in the process of the language server, when the cursor first rests on a message.',
  },
  {
    key: 'codeLens.tokens',
    type: 'boolean',
    default: false,
    summary: 'How many tokens a message costs, above each. Only those in sight are counted.',
  },
  {
    key: 'environment',
    type: 'string',
    default: '',
    summary:
      'The environment of `.vscode/parley.env.json` whose variables requests use; empty for those of `$shared` alone.',
  },
  {
    key: 'agents',
    type: 'agents',
    default: {},
    summary:
      'Agents for every workspace, by name, as in `.vscode/agents.json`: `{ "search": { "protocol": "mcp", "url": "http://localhost:8080/mcp" } }`. Those of the workspace come first. Only the user can set it, not a folder.',
  },
  {
    key: 'workspaceDiagnostics',
    type: 'boolean',
    default: false,
    summary: 'Checks all `.aicl` and `.aicf` files of the workspace, not only the open ones.',
  },
  {
    key: 'rules',
    type: 'severities',
    default: {},
    summary:
      'The severity of rules, by their codes: `{ "aicl/trailing-comma": "warning" }`. `off` silences a rule. Errors, and nothing else, stop Send until you send anyway.',
  },
] as const satisfies readonly SettingRow[];

export interface SettingRow {
  readonly key: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'names' | 'severities' | 'agents' | 'collector';
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly default: string | number | boolean | readonly string[] | Readonly<Record<string, never>>;
  /** Markdown. */
  readonly summary: string;
}

/** The values that the severity of a rule can be set to. */
export const RULE_SEVERITIES = [...SEVERITIES, 'off'] as const;
export type RuleSeverity = Severity | 'off';

/** The rules whose severity can be set. The common rules are excluded: they apply to a report or a file as a whole. */
export const SETTABLE_RULES: readonly RuleRow[] = [
  ...AICL_RULES,
  ...AICF_RULES,
  ...AGENT_JSON_RULES,
  ...REQUEST_RULES,
];
const SETTABLE_CODES: ReadonlySet<string> = new Set(SETTABLE_RULES.map(row => row.code));

type Row = (typeof SETTINGS)[number];
export type SettingKey = Row['key'];

interface ValueOfType {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly names: readonly string[];
  readonly severities: ReadonlyMap<string, RuleSeverity>;
  /** Unvalidated; parsed by the code that manages agents. */
  readonly agents: unknown;
  /** Unvalidated; parsed by the telemetry code. */
  readonly collector: unknown;
}
type ValueOf<R extends Row> = R extends { readonly values: readonly (infer V)[] }
  ? V
  : ValueOfType[R['type']];

/** The values of all settings, typed by their rows. */
export type Settings = { readonly [K in SettingKey]: ValueOf<Extract<Row, { key: K }>> } & {
  /** The protocol whose requests the file holds, according to its name. */
  readonly protocol?: ProtocolName;
};

/** The settings for a file with a name. */
export function settingsOfFile(settings: Settings, name: string): Settings {
  const protocol = protocolOfFile(name);
  return protocol === undefined ? settings : { ...settings, protocol };
}

const ROWS: readonly (SettingRow & { readonly key: SettingKey })[] = SETTINGS;

export const DEFAULT_SETTINGS: Settings = readSettings(() => undefined);

/**
 * Reads the settings from an editor or a user, by key without the
 * `parley.` prefix. An invalid value is replaced by the default.
 */
export function readSettings(valueOf: (key: SettingKey) => unknown): Settings {
  const entries = ROWS.map(row => [row.key, readValue(row, valueOf(row.key))] as const);
  // Each value fits its row, but TypeScript cannot infer that through a list of entries.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return Object.fromEntries(entries) as Settings;
}

/** The codes in `parley.rules` with an unknown rule, a rule whose severity cannot be set, or an invalid severity. */
export function listWrongRules(value: unknown): readonly string[] {
  return entriesOf(value)
    .filter(([code, severity]) => !isRuleSeverity(code, severity))
    .map(([code]) => code);
}

function readValue(row: SettingRow, value: unknown): unknown {
  if (row.type === 'severities')
    return new Map(entriesOf(value).filter(([code, severity]) => isRuleSeverity(code, severity)));
  return fitsRow(row, value) ? value : row.default;
}

function fitsRow(row: SettingRow, value: unknown): boolean {
  if (row.type === 'integer') {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= (row.minimum ?? -Infinity);
  }
  if (row.type === 'boolean') return typeof value === 'boolean';
  if (row.type === 'names') return Array.isArray(value) && value.every(name => typeof name === 'string');
  if (row.type === 'agents' || row.type === 'collector')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === 'string' && (row.values?.includes(value) ?? true);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function isRuleSeverity(code: string, severity: unknown): boolean {
  return SETTABLE_CODES.has(code) && RULE_SEVERITIES.some(known => known === severity);
}
