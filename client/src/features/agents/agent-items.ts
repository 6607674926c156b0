import { hasSignIn } from '../../../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { type MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { showOnOneLine } from '../../../../core/text/quote.ts';
import { NOT_SENT, type CallStatus } from '../../../../core/events/events.ts';
import { describeOutcome, formatDuration } from '../../../../trace/words.ts';
import { NOT_LISTED, type AgentRow, type GroupRow, type ItemRow, type ToolRow } from './agent-rows.ts';
import type { AgentInfo, AgentCapabilities, ToolInfo } from '../../services/agent-service.ts';
import { describeAddress } from '../../services/describe-address.ts';
import { formatTimeOfDay } from '../../base/time-of-day.ts';
import { summarizeChange } from '../../services/tool-change.ts';
import type { BridgeInfo } from '../../services/bridge-service.ts';
import type { RecordingInfo } from '../../services/recording-service.ts';
import type { LastCall } from './last-calls.ts';
import type { IdleSession } from './session-clock.ts';
import { commandOf } from '../../window/messages.ts';
import { buildTooltip } from '../../window/sinks/labels.ts';

const ANSWERED = new ThemeIcon('circle-filled', new ThemeColor('charts.green'));
const QUIET = new ThemeIcon('circle-outline');
const BUSY = new ThemeIcon('loading~spin');
const TROUBLE = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));

/** The icon of an agent by the status of its last call. The description contains the same information as text. */
const CALL_ICONS = {
  open: BUSY,
  ok: ANSWERED,
  error: TROUBLE,
  cancelled: QUIET,
  incomplete: TROUBLE,
} as const satisfies Record<CallStatus, ThemeIcon>;

/** The maximum length of a schema in a tooltip. */
const LONGEST_SCHEMA = 4_000;
/** The maximum number of sessions named in a tooltip. */
const MAX_SESSIONS = 10;
/** Agents with more rows than this start collapsed, so that the other agents stay visible. */
const MAX_OPENED = 12;
/** The same for the tools in a group. */
const MAX_OPENED_TOOLS = 30;

/** The state from which a row is drawn. */
interface RowState {
  readonly capabilities: AgentCapabilities;
  readonly last: LastCall | undefined;
  /** Sessions with the agent that are idle. */
  readonly idle: readonly IdleSession[];
  /** The running recording in front of the agent. */
  readonly recording?: RecordingInfo | undefined;
  /** The running bridges to the agent. */
  readonly bridges?: readonly BridgeInfo[];
}

/**
 * Builds the tree item of a row in the Agents view. Texts of agents are shown as plain text, never as HTML or
 * commands, and invisible characters are made visible.
 */
export function buildAgentRow(row: AgentRow, state: RowState): TreeItem {
  const item = buildRow(row, state);
  if (typeof item.label === 'string') item.label = showOnOneLine(item.label);
  if (typeof item.description === 'string') item.description = showOnOneLine(item.description);
  return item;
}

function buildRow(row: AgentRow, state: RowState): TreeItem {
  switch (row.kind) {
    case 'agent':
      return buildAgent(row.agent, state);
    case 'problem':
      return buildProblem(row);
    case 'group':
      return buildGroup(row);
    case 'tool':
      return buildTool(row);
    case 'argument':
      return buildArgument(row);
    case 'resource':
    case 'prompt':
      return buildItem(row);
    case 'change':
      return buildChange(row);
    case 'changed':
      return buildChanged(row);
    case 'remark':
      return buildRemark(row);
  }
}

function buildAgent(
  agent: AgentInfo,
  { capabilities, last: ended, idle, recording, bridges = [] }: RowState,
): TreeItem {
  // A held request never reached the agent, so it does not affect the agent's state.
  const last = ended?.code === NOT_SENT ? undefined : ended;
  const state = describeState(capabilities, last);
  const { peer, change } = capabilities;
  const protocol = [agent.protocol, peer?.version].filter(Boolean).join(' ');
  const changes = change ? summarizeChange(change) : '';
  const item = new TreeItem(agent.name, collapsibleState(capabilities));
  // The id changes once the row becomes expandable, because VS Code retains the initial collapsed state of an id.
  item.id = `agent/${agent.name}/${item.collapsibleState === TreeItemCollapsibleState.None ? '' : 'open'}`;
  // After a disconnect there are no sessions.
  const sessions =
    capabilities.state === 'idle'
      ? []
      : idle.map(({ name, since }) => `session ${name} idle since ${formatTimeOfDay(since)}`);
  const silence = sessions.length > 1 ? `${sessions.length} sessions idle` : (sessions[0] ?? '');
  const port = recording?.port === undefined ? '' : ` :${recording.port}`;
  const recorded = recording ? `recording${port}` : '';
  const bridged = bridges.length > 0 ? `bridge ${bridges.map(({ as }) => as).join(', ')}` : '';
  item.description = [protocol, recorded, bridged, state, changes, silence].filter(Boolean).join(' · ');
  item.iconPath = findIcon(capabilities, last);
  item.tooltip = [
    agent.name,
    peer?.name ?? '',
    describeAddress(agent),
    state,
    capabilities.problem ?? '',
    ended?.message ?? '',
    ...sessions.slice(0, MAX_SESSIONS),
    recording ? `Recording: callers use ${recording.address}` : '',
    ...bridges.map(({ as, address }) => `Bridge for callers of ${as}: ${address}`),
  ]
    .filter((line, index, lines) => line !== '' && lines.indexOf(line) === index)
    .join('\n');
  // Only agents with sign-in have the sign-out entry in their menu.
  const recordedState = `${recording ? '.recorded' : ''}${bridges.length > 0 ? '.bridged' : ''}`;
  item.contextValue = `agent.${capabilities.state}${recordedState}${hasSignIn(agent.protocol) ? '.signIn' : ''}${capabilities.mistake ? '.mistaken' : ''}`;
  item.accessibilityInformation = {
    label: [agent.name, protocol, state, changes, silence, recorded, bridged].filter(Boolean).join(', '),
  };
  return item;
}

function collapsibleState({
  tools,
  resources,
  prompts,
  state,
  problem,
}: AgentCapabilities): TreeItemCollapsibleState {
  const lists = [tools?.length ?? 0, resources.length, prompts.length].filter(length => length > 0);
  // Several lists are groups.
  const count = lists.length > 1 ? lists.length : (lists[0] ?? 0);
  if (state !== 'connected' && count === 0 && problem === undefined) return TreeItemCollapsibleState.None;
  return count <= MAX_OPENED ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
}

function findIcon({ state }: AgentCapabilities, last: LastCall | undefined): ThemeIcon {
  if (state === 'connecting') return BUSY;
  if (state === 'failed') return TROUBLE;
  if (last) return isOwnError(last) ? ANSWERED : CALL_ICONS[last.status];
  return state === 'connected' ? ANSWERED : QUIET;
}

function describeState({ state }: AgentCapabilities, last: LastCall | undefined): string {
  if (state === 'connecting') return 'connecting…';
  const shown = last && describeLast(last);
  if (state === 'failed') return last?.status === 'error' && shown ? shown : 'failed';
  return shown ?? (state === 'connected' ? 'connected' : 'not connected');
}

function describeLast(last: LastCall): string {
  const hasAnswered = last.status === 'ok' || isOwnError(last);
  return hasAnswered && last.duration !== undefined ? formatDuration(last.duration) : describeOutcome(last);
}

/**
 * True for an error reported by the agent, with a code of its protocol or without any: the agent responds,
 * but its tool failed.
 */
function isOwnError({ status, code }: LastCall): boolean {
  return status === 'error' && (code === undefined || /^-?\d+$/.test(code));
}

const GROUP_ICONS = {
  Tools: 'tools',
  Resources: 'files',
  Prompts: 'comment-discussion',
} as const satisfies Record<GroupRow['label'], string>;

function buildGroup({ agent, label, rows }: GroupRow): TreeItem {
  const isOpen = rows.length <= (label === 'Tools' ? MAX_OPENED_TOOLS : MAX_OPENED);
  const item = new TreeItem(
    `${label} (${rows.length})`,
    isOpen ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed,
  );
  item.id = `group/${agent.name}/${label}`;
  item.iconPath = new ThemeIcon(GROUP_ICONS[label]);
  item.contextValue = 'group';
  item.accessibilityInformation = { label: `${rows.length} ${label} of ${agent.name}` };
  return item;
}

function buildTool({ tool }: ToolRow): TreeItem {
  const declared = tool.declaration?.arguments ?? [];
  const shown = declared.map(({ name, isOptional }) => `${name}${isOptional ? '?' : ''}`).join(', ');
  const item = new TreeItem(
    tool.name,
    declared.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  item.description = tool.declaration ? `(${shown})` : '';
  item.iconPath = new ThemeIcon('symbol-function');
  item.tooltip = describeTool(tool);
  item.contextValue = 'tool';
  item.accessibilityInformation = { label: `Tool ${tool.name} ${item.description}` };
  return item;
}

/** The description with a line per argument; the schema itself only if no arguments can be read from it. */
function describeTool({ description, declaration, schema }: ToolInfo): MarkdownString {
  const said = description || 'It has no description.';
  if (!declaration && schema !== undefined)
    return buildTooltip(said, { text: indent(schema), language: 'json' });
  const lines = (declaration?.arguments ?? []).map(argument => {
    const { name, type, isOptional, description: purpose = '' } = argument;
    return `${name}: ${type}${isOptional ? ', optional' : ''}${purpose === '' ? '' : ` – ${purpose}`}`;
  });
  return buildTooltip([said, ...lines].join('\n'));
}

function indent(schema: string): string {
  const { text } = convertText(schema, {
    protocols: ALL_PROTOCOLS,
    from: 'json',
    to: 'json',
    layout: 'pretty',
  });
  return text.length > LONGEST_SCHEMA ? `${text.slice(0, LONGEST_SCHEMA)}…` : text;
}

function buildArgument({ argument }: Extract<AgentRow, { kind: 'argument' }>): TreeItem {
  const { name, type, isOptional, description = '', values } = argument;
  const item = new TreeItem(name);
  item.description = `${type}${isOptional ? ', optional' : ''}`;
  item.iconPath = new ThemeIcon('symbol-parameter');
  item.tooltip =
    [description, values ? `One of: ${values.join(', ')}` : ''].filter(Boolean).join('\n') || name;
  item.contextValue = 'argument';
  item.accessibilityInformation = { label: `Argument ${name}, ${item.description}` };
  return item;
}

const ITEM_ICONS = {
  resource: 'file',
  template: 'file-symlink-file',
  prompt: 'comment',
} as const satisfies Record<ItemRow['item']['kind'], string>;
const ITEM_WORDS = { resource: 'Resource', template: 'Template', prompt: 'Prompt' } as const;

function buildItem(row: ItemRow): TreeItem {
  const { kind, item: offered } = row;
  const item = new TreeItem(offered.name);
  item.description = offered.detail === offered.name ? '' : offered.detail;
  item.iconPath = new ThemeIcon(ITEM_ICONS[offered.kind]);
  item.tooltip = [offered.name, offered.detail, offered.description].filter(Boolean).join('\n');
  item.contextValue = kind;
  item.command = commandOf('parley.insertRequest', 'Insert Request', row);
  item.accessibilityInformation = {
    label: `${ITEM_WORDS[offered.kind]} ${offered.name} ${item.description}`,
  };
  return item;
}

function buildChange({ agent, change }: Extract<AgentRow, { kind: 'change' }>): TreeItem {
  const shown = summarizeChange(change);
  const item = new TreeItem('Changed', TreeItemCollapsibleState.Collapsed);
  item.description = shown;
  item.iconPath = new ThemeIcon('diff');
  const listed = [
    ...change.added.map(name => `${name} is new`),
    ...change.removed.map(name => `${name} is gone`),
    ...change.changed.map(name => `${name} changed`),
  ];
  item.tooltip = listed.join('\n');
  item.contextValue = 'change';
  item.accessibilityInformation = { label: `The tools of ${agent.name} changed: ${shown}` };
  return item;
}

const CHANGE_ICONS = {
  new: 'diff-added',
  gone: 'diff-removed',
  changed: 'diff-modified',
} as const satisfies Record<Extract<AgentRow, { kind: 'changed' }>['word'], string>;

function buildChanged({ name, word }: Extract<AgentRow, { kind: 'changed' }>): TreeItem {
  const item = new TreeItem(name);
  item.description = word;
  item.iconPath = new ThemeIcon(CHANGE_ICONS[word]);
  item.contextValue = 'changed';
  return item;
}

function buildRemark(row: Extract<AgentRow, { kind: 'remark' }>): TreeItem {
  const { text } = row;
  const item = new TreeItem(text);
  if (text === NOT_LISTED) item.command = commandOf('parley.connectAgent', 'Load tools', row.agent.name);
  item.iconPath = new ThemeIcon('info');
  item.tooltip = text;
  item.contextValue = 'remark';
  return item;
}

function buildProblem(row: Extract<AgentRow, { kind: 'problem' }>): TreeItem {
  const item = new TreeItem(row.problem.message);
  item.description = `line ${row.line + 1}`;
  item.iconPath = TROUBLE;
  item.tooltip = `${row.problem.message}\n${row.file.path}, line ${row.line + 1}`;
  item.contextValue = 'problem';
  item.command = commandOf('parley.openAgentsFile', 'Open agents file', row);
  item.accessibilityInformation = { label: `Problem in the agents file: ${row.problem.message}` };
  return item;
}
