import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { countOf, showCount } from '../../../../../core/text/count.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import { commandOf } from '../../../window/messages.ts';
import { NOT_SENT, type CallStatus } from '../../../../../core/events/events.ts';
import { formatTimeOfDay } from '../../../base/time-of-day.ts';
import { leadWithCause } from './cause.ts';
import { findBadgeUri } from './recorded-badges.ts';
import type { FindCounted } from './counted-tokens.ts';
import {
  describeCallBelow,
  describeSummary,
  describeTopCall,
  summarize,
  type RowWords,
  type TraceSummary,
} from './row-words.ts';

/** The icon of each status. The row's description contains the status as text. */
export const STATUS_ICONS = {
  open: new ThemeIcon('loading~spin'),
  ok: new ThemeIcon('pass', new ThemeColor('charts.green')),
  error: new ThemeIcon('error', new ThemeColor('testing.iconFailed')),
  cancelled: new ThemeIcon('circle-slash', new ThemeColor('testing.iconSkipped')),
  incomplete: new ThemeIcon('warning', new ThemeColor('list.warningForeground')),
} as const satisfies Record<CallStatus, ThemeIcon>;

/** A row below a call with its failure or a note. */
export interface CallRemark {
  readonly kind: 'failure' | 'note';
  readonly text: string;
}

/** The state of a row in the view. */
export interface RowPlace {
  /** The maximum number of calls above one. */
  readonly depthLimit: number;
  /** `opened` is expanded, `closed` has children but is collapsed, `leaf` has none. */
  readonly fold: 'opened' | 'closed' | 'leaf';
  /** The trace, if the row represents all of it. */
  readonly tree?: TraceTree;
  /** True if the trace is pinned. */
  readonly isPinned?: boolean;
  readonly findCounted?: FindCounted;
}

const STATES = {
  opened: TreeItemCollapsibleState.Expanded,
  closed: TreeItemCollapsibleState.Collapsed,
  leaf: TreeItemCollapsibleState.None,
} as const satisfies Record<RowPlace['fold'], TreeItemCollapsibleState>;

/** The remarks of a call, in the order of their rows. */
export function listRemarks(node: CallNode): readonly CallRemark[] {
  return [...listReasons(node), ...node.notes.map((text): CallRemark => ({ kind: 'note', text }))];
}

function listReasons({ status, code, message, children }: CallNode): readonly CallRemark[] {
  // An error that a call below passed on is shown there.
  if (message === undefined || children.some(child => child.message === message)) return [];
  if (code === NOT_SENT) return [{ kind: 'note', text: message }];
  // The row itself shows that the user stopped the call.
  return status === 'cancelled' ? [] : [{ kind: 'failure', text: message }];
}

/** True if a call has children that should be visible without expanding: calls, or a failure. */
export function opensByItself(node: CallNode): boolean {
  return node.children.length > 0 || (node.status !== 'cancelled' && node.message !== undefined);
}

/** Builds the row of a call. */
export function buildCallItem(node: CallNode, place: RowPlace): TreeItem {
  const { call } = node;
  const { tree, isPinned, depthLimit, findCounted } = place;
  const counted = findCounted?.(node);
  const words = tree
    ? describeTopCall(node, summarize(tree, findCounted), depthLimit, counted)
    : describeCallBelow(node, depthLimit, counted);
  const item = buildItem(words, place);
  // VS Code retains the collapsed state of an id, so a row that was drawn without children would stay collapsed.
  item.id = `${place.fold === 'opened' ? 'opened' : 'call'}:${call.call}`;
  item.iconPath = STATUS_ICONS[node.status];
  item.contextValue = `call.${node.status}${tree ? '.top' : ''}${isPinned ? '.pinned' : ''}${call.source ? '.source' : ''}`;
  item.command = commandOf('parley.openCall', 'Show call', call.call);
  const badge = findBadgeUri(call);
  if (badge) item.resourceUri = badge;
  return item;
}

/** Builds the row of a remark. `index` distinguishes several remarks of a call. A click shows the call. */
export function buildRemarkItem(remark: CallRemark, call: string, index: number): TreeItem {
  const item = new TreeItem(leadWithCause(remark.text));
  item.id = `remark ${index}:${call}`;
  item.iconPath = remark.kind === 'failure' ? STATUS_ICONS.error : new ThemeIcon('info');
  item.tooltip = remark.text;
  item.contextValue = 'remark';
  item.command = commandOf('parley.openCall', 'Show call', call);
  item.accessibilityInformation = {
    label: `${remark.kind === 'failure' ? 'Failed' : 'Note'}: ${remark.text}`,
  };
  return item;
}

/** Builds the row of a trace with more than one root call. */
export function buildTraceItem(tree: TraceTree, anchor: string, place: RowPlace): TreeItem {
  const summary = summarize(tree, place.findCounted);
  const label = tree.roots[0]?.call.title ?? tree.trace;
  const description = `${describeSummary(summary)} · ${formatTimeOfDay(tree.roots[0]?.call.at ?? 0)}`;
  const tooltip = describeTrace(tree, summary);
  const item = buildItem({ label, description, tooltip, accessibleLabel: `${label}, ${description}` }, place);
  item.id = `trace:${anchor}`;
  item.iconPath = STATUS_ICONS[summary.status];
  item.contextValue = `trace.${summary.status}.top${place.isPinned ? '.pinned' : ''}`;
  return item;
}

/** Builds the row of a page of calls, which are numbered from 1. */
export function buildPageItem(
  owner: string,
  { first, last }: { readonly first: number; readonly last: number },
): TreeItem {
  const item = new TreeItem(`${showCount(last - first + 1)} more`, TreeItemCollapsibleState.Collapsed);
  item.id = `page ${first}:${owner}`;
  item.description = `${showCount(first)} to ${showCount(last)}`;
  item.iconPath = new ThemeIcon('ellipsis');
  item.contextValue = 'page';
  return item;
}

function buildItem(
  { label, description, tooltip, accessibleLabel }: RowWords,
  { fold, isPinned }: RowPlace,
): TreeItem {
  const item = new TreeItem(label, STATES[fold]);
  item.description = isPinned ? `pinned · ${description}` : description;
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: isPinned ? `${accessibleLabel}, pinned` : accessibleLabel };
  return item;
}

function describeTrace(tree: TraceTree, summary: TraceSummary): string {
  const { sessions } = summary;
  const shown = sessions.slice(0, MAX_SESSIONS).join(', ');
  const more =
    sessions.length > MAX_SESSIONS ? ` and ${countOf(sessions.length - MAX_SESSIONS, 'more', 'more')}` : '';
  return [
    `Trace ${tree.trace}`,
    describeSummary(summary),
    ...(sessions.length === 0 ? [] : [`${sessions.length === 1 ? 'Session' : 'Sessions'} ${shown}${more}`]),
  ].join('\n');
}

const MAX_SESSIONS = 5;
