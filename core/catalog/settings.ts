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
    key: 'agents',
    group: 'Agents and requests',
    type: 'agents',
    default: {},
    summary:
      'Agents that are available in every workspace, by name, with the members of `.vscode/agents.json`: `{ "search": { "protocol": "mcp", "url": "http://localhost:8080/mcp" } }`. An agent of the workspace with the same name takes precedence. Can only be set in the user settings.',
  },
  {
    key: 'environment',
    group: 'Agents and requests',
    type: 'string',
    default: '',
    summary:
      'Environment of `.vscode/parley.env.json` whose variables are used in requests. If empty, only the variables of `$shared` are used.',
  },
  {
    key: 'tokens.encoding',
    group: 'Agents and requests',
    type: 'string',
    values: ENCODINGS.map(({ name }) => name),
    valueSummaries: ENCODINGS.map(({ models }) => `Tokens of ${models}.`),
    default: DEFAULT_ENCODING,
    summary: 'Encoding that is used to count tokens.',
  },
  {
    key: 'tokens.statusBar',
    group: 'Agents and requests',
    type: 'boolean',
    default: true,
    summary:
      'Show the tokens and bytes of the message at the cursor in the status bar. The encoding is loaded when the cursor is in a message for the first time.',
  },
  {
    key: 'codeLens.tokens',
    group: 'Agents and requests',
    type: 'boolean',
    default: false,
    summary: 'Show the number of tokens above each message. Only visible messages are counted.',
  },
  {
    key: 'replies.column',
    group: 'Agents and requests',
    type: 'string',
    values: ['auto', 'beside', 'same'],
    valueSummaries: [
      'Beside the request; in its group where there is not enough room for two.',
      'Beside the request.',
      'In the group of the request.',
    ],
    default: 'auto',
    summary: 'Where a reply opens.',
  },
  {
    key: 'trace.keepTraces',
    group: 'Traces and recordings',
    type: 'integer',
    minimum: 0,
    default: 50,
    summary:
      'Number of traces of earlier windows that are stored, besides pinned ones. They are in the storage folder of VS Code, not in the workspace.',
  },
  {
    key: 'trace.keepMegabytes',
    group: 'Traces and recordings',
    type: 'integer',
    minimum: 1,
    default: 500,
    summary:
      'Disk space for stored traces in megabytes. Beyond it, the oldest files (of about 64 MB each) are deleted, except pinned traces and files that are being written.',
  },
  {
    key: 'trace.depthLimit',
    group: 'Traces and recordings',
    type: 'integer',
    minimum: 1,
    default: DEEPEST_CALL,
    summary:
      'Maximum depth of nested calls. Deeper calls are marked in traces. Recordings with the recursion guard refuse them.',
  },
  {
    key: 'trace.secretNames',
    group: 'Traces and recordings',
    type: 'names',
    default: [],
    summary:
      'Additional names of headers, parameters and JSON members whose values are secret: `["X-Tenant-Pin"]`. Upper and lower case are the same. The values are replaced in later traces and recordings. Can only be set in the user settings.',
  },
  {
    key: 'trace.collector',
    group: 'Traces and recordings',
    type: 'collector',
    default: {},
    summary:
      'OpenTelemetry collector, such as Jaeger, Phoenix or Langfuse, to which `Parley: Telemetry…` sends traces: `{ "url": "http://localhost:4318", "headers": { "Authorization": "Bearer ${secret:langfuse}" } }`. Add `"content": true` to send the content of requests and replies too. Can only be set in the user settings.',
  },
  {
    key: 'rules',
    group: 'Checks',
    type: 'severities',
    default: {},
    summary:
      'Severity of rules by their codes: `{ "aicl/trailing-comma": "warning" }`. Use `off` to disable a rule. Only errors stop a request from being sent.',
  },
  {
    key: 'maxIssues',
    group: 'Checks',
    type: 'integer',
    minimum: 1,
    default: 1000,
    summary: 'Maximum number of issues per document. If there are more, the last issue says how many.',
  },
  {
    key: 'workspaceDiagnostics',
    group: 'Checks',
    type: 'boolean',
    default: false,
    summary: 'Check all `.aicl` and `.aicf` files of the workspace instead of open files only.',
  },
  {
    key: 'aicl.profile',
    group: 'Checks',
    type: 'string',
    values: ['strict', 'chat'],
    valueSummaries: [
      'Messages must have the complete header.',
      'Messages may have no `protocol`, `session_id` and `msg_type`; what is present is checked.',
    ],
    default: 'strict',
    summary: 'Required header of AICL messages.',
  },
  {
    key: 'aicf.maxFields',
    group: 'Checks',
    type: 'integer',
    minimum: 1,
    default: 64,
    summary: 'Warn about AICF requests with more than this many fields.',
  },
  {
    key: 'aicf.maxBodyBytes',
    group: 'Checks',
    type: 'integer',
    minimum: 1,
    default: 100000,
    summary:
      'Warn about AICF requests with more than this many bytes. Running servers refuse them with HTTP 413.',
  },
  {
    key: 'aicf.dialect',
    group: 'Editor',
    type: 'string',
    values: ['auto', 'rpc', 'context'],
    valueSummaries: [
      'Detect the dialect of each file from its first lines.',
      'Read `.aicf` files as AICF-RPC requests and responses.',
      'Read `.aicf` files as memory files of AI Context Format.',
    ],
    default: 'auto',
    summary: 'Dialect of `.aicf` files.',
  },
  {
    key: 'aicl.format.style',
    group: 'Editor',
    type: 'string',
    values: ['indented', 'compact'],
    valueSummaries: [
      'Put each field on its own line.',
      'Put each message on one line, with its tensor data.',
    ],
    default: 'indented',
    summary: 'Layout of formatted AICL messages.',
  },
  {
    key: 'aicl.format.payloadWidth',
    group: 'Editor',
    type: 'integer',
    minimum: 40,
    default: 120,
    summary:
      'Line width in characters at which the formatter wraps tensor data. Not used by the style `compact`.',
  },
  {
    key: 'inlayHints.enabled',
    group: 'Editor',
    type: 'boolean',
    default: true,
    summary: 'Show inlay hints: names of arguments in an AICF `CALL`, and size and statistics of a tensor.',
  },
] as const satisfies readonly SettingRow[];

export interface SettingRow {
  readonly key: string;
  /** The heading in the settings editor. */
  readonly group: 'Agents and requests' | 'Traces and recordings' | 'Checks' | 'Editor';
  readonly type: 'string' | 'integer' | 'boolean' | 'names' | 'severities' | 'agents' | 'collector';
  readonly values?: readonly string[];
  /** What each value means, in Markdown. */
  readonly valueSummaries?: readonly string[];
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
