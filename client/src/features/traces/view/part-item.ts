import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import { PART_WORDS, type PartKind, type TracePart } from '../../../../../protocols/reply-parts/part.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../../trace/part-words.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { commandOf } from '../../../window/messages.ts';

/** The icon of each kind of part. The row contains the kind as text. */
const ICONS = {
  message: 'comment',
  text: 'list-flat',
  reasoning: 'lightbulb',
  tool: 'tools',
  output: 'output',
  approval: 'verified',
  data: 'json',
  media: 'file-media',
  refusal: 'circle-slash',
  artifact: 'package',
  status: 'milestone',
  progress: 'loading',
  log: 'terminal',
  notice: 'bell',
  request: 'reply',
  stream: 'pulse',
  chunk: 'primitive-square',
  result: 'check',
  error: 'error',
  exchange: 'arrow-swap',
} as const satisfies Record<PartKind, string>;

/** The maximum number of characters of a text in a tooltip. */
const MAX_TIP = 600;

/** Builds the row of a reply's parts, for a call that has other child rows. */
export function buildReplyItem({ call, traffic }: CallNode): TreeItem {
  const item = new TreeItem('Reply in parts', TreeItemCollapsibleState.Collapsed);
  item.id = `reply:${call.call}`;
  item.description = countOf(traffic.piecesIn, 'chunk');
  item.iconPath = new ThemeIcon('list-tree');
  item.contextValue = 'reply';
  return item;
}

/** Builds the row of a part. A click shows its call, which began at `began`. */
export function buildPartItem(part: TracePart, call: string, began: number): TreeItem {
  const word = PART_WORDS[part.kind];
  const [title, outcome] = [titleOfPart(part), outcomeOfPart(part)];
  const state = part.children.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
  const item = new TreeItem(word, state);
  item.id = `part:${call}:${part.id}`;
  item.description = [title, outcome].filter(Boolean).join(' · ');
  item.iconPath = new ThemeIcon(ICONS[part.kind], colourOf(part));
  item.tooltip = describePart(part, began);
  item.contextValue = 'part';
  item.command = commandOf('parley.openCall', 'Show call', call);
  item.accessibilityInformation = { label: [word, title, outcome, ...part.notes].filter(Boolean).join(', ') };
  return item;
}

function describePart(part: TracePart, began: number): string {
  const { text = '', notes } = part;
  const more = text.length > MAX_TIP ? `${text.slice(0, MAX_TIP)}…` : text;
  return [describePartTimes(part, began), ...notes, more].filter(Boolean).join('\n');
}

function colourOf({ status }: TracePart): ThemeColor | undefined {
  if (status === 'error') return new ThemeColor('testing.iconFailed');
  return status === 'incomplete' ? new ThemeColor('list.warningForeground') : undefined;
}
