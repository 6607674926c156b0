import { type MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { convertText } from '../../protocols/convert/convert.ts';
import { showOnOneLine } from '../../core/text/quote.ts';
import type { CallStatus } from '../../core/events/events.ts';
import { describeOutcome, formatDuration, NOT_SENT } from '../../trace/words.ts';
import type { AgentRow, ItemRow, ToolRow } from './agent-rows.ts';
import type { AgentInfo, AgentOffer } from './agent-service.ts';
import { describeAddress } from './describe-address.ts';
import type { CommandName } from './commands/names.ts';
import { summarizeChange } from './offer-change.ts';
import type { RecordingInfo } from './recording/recording-service.ts';
import type { LastCall } from './trace/last-calls.ts';
import type { IdleSession } from './trace/session-clock.ts';
import { buildTooltip } from './sinks/labels.ts';

const ANSWERED = new ThemeIcon('circle-filled', new ThemeColor('testing.iconPassed'));
const QUIET = new ThemeIcon('circle-outline');
const BUSY = new ThemeIcon('loading~spin');
const TROUBLE = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));

/** How an agent stands after its last call, as an icon. The description says the same in words. */
const CALL_ICONS = {
  open: BUSY,
  ok: ANSWERED,
  error: TROUBLE,
  cancelled: QUIET,
  incomplete: TROUBLE,
} as const satisfies Record<CallStatus, ThemeIcon>;

const OPEN_AGENTS_FILE: CommandName = 'parley.openAgentsFile';
/** A tooltip with more of a schema is no help. */
const LONGEST_SCHEMA = 4_000;
/** A tooltip names so many sessions; there are more than one knows by name. */
const MOST_SESSIONS = 10;
/** More rows at once would hide the other agents. */
const MOST_OPENED = 12;

/** What a row is drawn from besides itself. */
interface Standing {
  readonly offer: AgentOffer;
  readonly last: LastCall | undefined;
  /** Sessions with the agent in which there was no traffic for a while. */
  readonly idle: readonly IdleSession[];
  /** The recording in front of the agent. */
  readonly recording?: RecordingInfo | undefined;
}

/**
 * A row of the Agents view as VS Code draws it. All of it is text: what agents say is neither HTML nor a command, and what
 * would show a name as another is made visible.
 */
export function buildAgentRow(row: AgentRow, standing: Standing): TreeItem {
  const item = buildRow(row, standing);
  if (typeof item.label === 'string') item.label = showOnOneLine(item.label);
  if (typeof item.description === 'string') item.description = showOnOneLine(item.description);
  return item;
}

function buildRow(row: AgentRow, standing: Standing): TreeItem {
  switch (row.kind) {
    case 'agent':
      return buildAgent(row.agent, standing);
    case 'problem':
      return buildProblem(row);
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

function buildAgent(agent: AgentInfo, { offer, last: ended, idle, recording }: Standing): TreeItem {
  // A request that we held says nothing of its agent.
  const last = ended?.code === NOT_SENT ? undefined : ended;
  const state = describeState(offer, last);
  const { peer, change } = offer;
  const protocol = [agent.protocol, peer?.version].filter(Boolean).join(' ');
  const news = change ? summarizeChange(change) : '';
  const item = new TreeItem(agent.name, collapsibleState(offer));
  // A row that may be opened is another row: VS Code keeps how the first one was.
  item.id = `agent/${agent.name}/${item.collapsibleState === TreeItemCollapsibleState.None ? '' : 'open'}`;
  // Who is disconnected has no session with us any more.
  const sessions = offer.state === 'idle' ? [] : idle.map(describeIdle);
  const silence = sessions.length > 1 ? `${sessions.length} sessions idle` : (sessions[0] ?? '');
  const port = recording?.port === undefined ? '' : ` :${recording.port}`;
  const recorded = recording ? `recording${port}` : '';
  item.description = [protocol, recorded, state, news, silence].filter(Boolean).join(' · ');
  item.iconPath = findIcon(offer, last);
  item.tooltip = [
    agent.name,
    peer?.name ?? '',
    describeAddress(agent),
    state,
    offer.problem ?? '',
    ended?.message ?? '',
    ...sessions.slice(0, MOST_SESSIONS),
    recording ? `Recording: callers use ${recording.address}` : '',
  ]
    .filter((line, index, lines) => line !== '' && lines.indexOf(line) === index)
    .join('\n');
  // Only to MCP servers one signs in: only their menu has a way out.
  const recordedState = recording ? '.recorded' : '';
  item.contextValue = `agent.${offer.state}${recordedState}${agent.protocol === 'mcp' ? '.mcp' : ''}`;
  item.accessibilityInformation = {
    label: [agent.name, protocol, state, news, silence, recorded].filter(Boolean).join(', '),
  };
  return item;
}

/** A time of day stays right as long as it is shown. */
function describeIdle({ name, since }: IdleSession): string {
  return `session ${name} idle since ${formatTime(new Date(since))}`;
}

function formatTime(time: Date): string {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}

function collapsibleState({
  tools,
  resources,
  prompts,
  state,
  problem,
}: AgentOffer): TreeItemCollapsibleState {
  const count = (tools?.length ?? 0) + resources.length + prompts.length;
  if (state !== 'connected' && count === 0 && problem === undefined) return TreeItemCollapsibleState.None;
  return count <= MOST_OPENED ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
}

function findIcon({ state }: AgentOffer, last: LastCall | undefined): ThemeIcon {
  if (state === 'connecting') return BUSY;
  if (state === 'failed') return TROUBLE;
  if (last) return isOwnError(last) ? ANSWERED : CALL_ICONS[last.status];
  return state === 'connected' ? ANSWERED : QUIET;
}

function describeState({ state }: AgentOffer, last: LastCall | undefined): string {
  if (state === 'connecting') return 'connecting…';
  const shown = last && describeLast(last);
  if (state === 'failed') return last?.status === 'error' && shown ? shown : 'failed';
  return shown ?? (state === 'connected' ? 'connected' : 'not connected');
}

function describeLast(last: LastCall): string {
  const hasAnswered = last.status === 'ok' || isOwnError(last);
  return hasAnswered && last.duration !== undefined ? formatDuration(last.duration) : describeOutcome(last);
}

/** An error with a code of the agent's protocol, or with none, is an answer: the agent is well, its tool failed. */
function isOwnError({ status, code }: LastCall): boolean {
  return status === 'error' && (code === undefined || /^-?\d+$/.test(code));
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
  item.tooltip = describeTool(tool.description, tool.schema);
  item.contextValue = 'tool';
  item.accessibilityInformation = { label: `Tool ${tool.name} ${item.description}` };
  return item;
}

function describeTool(description: string, schema: string | undefined): MarkdownString {
  const isBare = description === '' && schema === undefined;
  const code = schema === undefined ? undefined : { text: indent(schema), language: 'json' };
  return buildTooltip(isBare ? 'It tells no more than its name.' : description, code);
}

function indent(schema: string): string {
  const { text } = convertText(schema, { from: 'json', to: 'json', layout: 'pretty' });
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

const ITEM_ICONS = { resource: 'file', prompt: 'comment' } as const satisfies Record<ItemRow['kind'], string>;

function buildItem({ kind, item: offered }: ItemRow): TreeItem {
  const item = new TreeItem(offered.name);
  item.description = offered.detail === offered.name ? '' : offered.detail;
  item.iconPath = new ThemeIcon(ITEM_ICONS[kind]);
  item.tooltip = [offered.name, offered.detail, offered.description].filter(Boolean).join('\n');
  item.contextValue = kind;
  const word = kind === 'resource' ? 'Resource' : 'Prompt';
  item.accessibilityInformation = { label: `${word} ${offered.name} ${item.description}` };
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

function buildRemark({ text }: Extract<AgentRow, { kind: 'remark' }>): TreeItem {
  const item = new TreeItem(text);
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
  item.command = { command: OPEN_AGENTS_FILE, title: 'Open agents file', arguments: [row] };
  item.accessibilityInformation = { label: `Problem in the agents file: ${row.problem.message}` };
  return item;
}
