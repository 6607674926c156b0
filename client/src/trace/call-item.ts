import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { CallStatus } from '../../../protocol/src/trace/events.ts';
import type { CallNode, TraceTree } from '../../../protocol/src/trace/tree.ts';
import { describeCode, describeOutcome } from '../../../protocol/src/trace/words.ts';
import type { CommandName } from '../commands/names.ts';
import { leadWithCause } from './cause.ts';

const OPEN_CALL: CommandName = 'parley.openCall';

/** The icon of each status. The row's description says the same in a word. */
export const STATUS_ICONS = {
  open: new ThemeIcon('loading~spin'),
  ok: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')),
  error: new ThemeIcon('error', new ThemeColor('testing.iconFailed')),
  cancelled: new ThemeIcon('circle-slash', new ThemeColor('testing.iconSkipped')),
  incomplete: new ThemeIcon('warning', new ThemeColor('list.warningForeground')),
} as const satisfies Record<CallStatus, ThemeIcon>;

/** What stands below a call besides the calls it led to: why it failed, and what was odd about it. */
export interface CallRemark {
  readonly kind: 'failure' | 'note';
  readonly text: string;
}

/** The remarks of a call in the order of their rows. */
export function listRemarks(node: CallNode): readonly CallRemark[] {
  // That the user stopped it, the row itself says.
  const reason = node.status === 'cancelled' ? undefined : node.message;
  const failure: CallRemark[] = reason === undefined ? [] : [{ kind: 'failure', text: reason }];
  return [...failure, ...node.notes.map((text): CallRemark => ({ kind: 'note', text }))];
}

/** The row of a call. */
export function buildCallItem(node: CallNode): TreeItem {
  const { call } = node;
  const outcome = describeOutcome(node);
  const item = new TreeItem(call.title, stateOf(node));
  // VS Code keeps a row closed by its id: one that was drawn while the call ran would hide why it failed.
  item.id = hasFailed(node) ? `${call.call}/failed` : call.call;
  item.description = `${outcome} · ${call.agent}`;
  item.iconPath = STATUS_ICONS[node.status];
  item.tooltip = [
    `${call.title}, sent to ${call.agent}`,
    outcome,
    describeCode(node) ?? '',
    node.message ?? '',
  ]
    .filter(Boolean)
    .join('\n');
  item.contextValue = `call.${node.status}${call.source ? '.source' : ''}`;
  item.command = { command: OPEN_CALL, title: 'Show call', arguments: [call.call] };
  item.accessibilityInformation = { label: `${call.title}, sent to ${call.agent}, ${outcome}` };
  return item;
}

/** The row of a remark. A click shows the call that it is about. */
export function buildRemarkItem(remark: CallRemark, call: string, index: number): TreeItem {
  const item = new TreeItem(leadWithCause(remark.text));
  item.id = `${call}/remark/${index}`;
  item.iconPath = remark.kind === 'failure' ? STATUS_ICONS.error : new ThemeIcon('info');
  item.tooltip = remark.text;
  item.contextValue = 'remark';
  item.command = { command: OPEN_CALL, title: 'Show call', arguments: [call] };
  item.accessibilityInformation = {
    label: `${remark.kind === 'failure' ? 'Failed' : 'Note'}: ${remark.text}`,
  };
  return item;
}

/** The row of a trace that began with more than one call. */
export function buildTraceItem(tree: TraceTree): TreeItem {
  const count = `${tree.roots.length} calls`;
  const title = tree.roots[0]?.call.title ?? tree.trace;
  const item = new TreeItem(title, TreeItemCollapsibleState.Expanded);
  item.id = `trace/${tree.trace}`;
  item.description = count;
  item.iconPath = new ThemeIcon('list-tree');
  item.contextValue = 'trace';
  item.accessibilityInformation = { label: `${title}, ${count}` };
  return item;
}

function hasFailed(node: CallNode): boolean {
  return listRemarks(node).some(remark => remark.kind === 'failure');
}

function stateOf(node: CallNode): TreeItemCollapsibleState {
  if (node.children.length > 0 || hasFailed(node)) return TreeItemCollapsibleState.Expanded;
  return node.notes.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
}
