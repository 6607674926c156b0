/**
 * What a feature contributes to package.json: `npm run generate` writes it there. A manifest is data and imports nothing but
 * this file.
 */
export interface Manifest {
  /** What the command palette shows before the title of each command. */
  readonly category: string;
  readonly commands: readonly CommandRow[];
  readonly views?: readonly ViewRow[];
  readonly submenus?: readonly SubmenuRow[];
  readonly walkthroughs?: readonly WalkthroughRow[];
}

export interface CommandRow {
  /** The id of the command without `parley.`. */
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly enablement?: string;
  /** When the command palette shows it; always by default. */
  readonly palette?: string;
  /** Where menus show it; twice in a menu, such as inline and in the context menu, with two rows. */
  readonly menus?: Readonly<Record<string, MenuRow | readonly MenuRow[]>>;
  readonly keys?: readonly KeyRow[];
}

export interface MenuRow {
  readonly group?: string;
  readonly when?: string;
}

export interface KeyRow {
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
}

/** A menu of its own within another one. */
export interface SubmenuRow extends MenuRow {
  readonly id: string;
  readonly title: string;
  /** The menu that contains it. */
  readonly menu: string;
}

/** A view in Parley's side bar. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type?: 'webview';
  readonly when?: string;
  /** The texts of the empty view, in Markdown. */
  readonly welcome?: readonly { readonly contents: string; readonly when: string }[];
}

/** A task on VS Code's page Get Started, in steps. */
export interface WalkthroughRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly steps: readonly WalkthroughStepRow[];
}

export interface WalkthroughStepRow {
  readonly id: string;
  readonly title: string;
  /** Markdown; a link on a line of its own is a button. */
  readonly description: string;
  /** The Markdown file that is shown beside the step. */
  readonly media: string;
  /** What marks the step as done. */
  readonly completedBy: readonly string[];
}

/** The commands of a feature. */
export type CommandOf<M extends Manifest> = `parley.${M['commands'][number]['name']}`;

/** The context keys of the extension, without `parley.`, for the conditions of manifests. */
export const CONTEXT_KEYS = [
  'agentsConnected',
  'callsRunning',
  'demoRunning',
  'growingReplies',
  'inBrowser',
  'pausedReplies',
  'recording',
  'tracesFiltered',
  'tracesPaused',
] as const;

export type ContextKey = (typeof CONTEXT_KEYS)[number];

/** The condition of a command that needs arguments, so that the palette never shows it. */
export const NEVER = 'false';

export const ON_DESKTOP = '!parley.inBrowser';
export const IN_BROWSER = 'parley.inBrowser';
export const TRUSTED = `isWorkspaceTrusted && ${ON_DESKTOP}`;
/** An editor with messages in AICF, AICL or the JSON of agents. */
export const IN_MESSAGES = 'editorLangId =~ /^(aic[lf]|agent-json)$/';
/** An editor of another language, whose text may have requests in JSON. */
export const IN_OTHER_JSON = 'editorLangId =~ /^(jsonc?|jsonl|markdown|plaintext)$/';
/** An editor with messages in AICF or AICL. */
export const IN_TEXT_MESSAGES = 'editorLangId =~ /^aic[lf]$/';
export const IN_AICL = 'editorLangId == aicl';
/** An editor whose text may have messages of any protocol. */
export const ON_MESSAGES =
  'editorLangId =~ /^(aic[lf]|agent-json|jsonc?|jsonl)$/ || editorLangId =~ /^(plaintext|markdown)$/ && editorHasSelection';
/** A file that may have messages of any protocol. */
export const ON_MESSAGE_FILE =
  '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(aicl|aicf|jsonl?|ndjson|sse)$/';
/** Not a reply or the result of a conversion, which nobody can edit. */
export const EDITABLE = 'resourceScheme != parley-reply && resourceScheme != parley-convert';

/** The condition for the title bar of a view. */
export function inView(view: 'agents' | 'traces', when?: string): string {
  return when === undefined ? `view == parley.${view}` : `view == parley.${view} && ${when}`;
}

/** The condition for rows of a view, by a pattern of their context value. */
export function onRow(view: 'agents' | 'traces', pattern: RegExp, when?: string): string {
  return inView(view, `viewItem =~ ${String(pattern)}${when === undefined ? '' : ` && ${when}`}`);
}

/** A command in the menu of a row, and as an icon at its end. */
export function withIcon(icon: number, group: string, when: string): readonly MenuRow[] {
  return [
    { group: `inline@${icon}`, when },
    { group, when },
  ];
}
