import { env, ProgressLocation, ViewColumn, type Disposable, type Uri, type WebviewPanel } from 'vscode';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import {
  isFromTimeline,
  type ActOnCall,
  type FromTimeline,
  type ToTimeline,
} from '../../../../../wire/timeline-messages.ts';
import { defer } from '../../../base/deferred.ts';
import { TimelineSession, type TimelineOptions } from './timeline-session.ts';
import { askToOpen } from '../../../window/ask-to-open.ts';
import { fillPanel, openPanel, type PageOptions, type Panel } from '../../../window/panel-host.ts';
import { runCommand, withProgress } from '../../../window/messages.ts';
import type { CommandName } from '../../manifests.ts';

/** A timeline in a panel. It ends with the panel. */
export interface OpenTimeline {
  readonly panel: Panel<ToTimeline>;
  /** Shows a call, and its trace if another one is shown. Returns false if the call is no longer stored. */
  show(call: string): boolean;
  /** The id of the selected call. */
  selected(): string;
  /** Resolves when the page is loaded, or is closed before that. */
  readonly opened: Promise<void>;
}

/** Fills an empty panel, such as that of a custom editor, with the trace of a call. */
export function fillTimeline(extension: Uri, panel: WebviewPanel, options: TimelineOptions): OpenTimeline {
  return connect(options, (page, onDidClose) => fillPanel(extension, panel, page, onDidClose));
}

/** The single timeline panel of a source: the views of a trace, and the payload of the selected call. */
export class TimelinePanel implements Disposable {
  readonly #extension: Uri;
  readonly #options: TimelineOptions;
  #open: OpenTimeline | undefined;

  constructor(extension: Uri, options: TimelineOptions) {
    this.#extension = extension;
    this.#options = options;
  }

  /** Shows a call in the panel, which is opened or revealed. Returns false if the call is no longer stored. */
  show(call: string): boolean {
    const node = this.#options.source.find(call);
    if (!node) return false;
    const title = titleOf(node);
    this.#open ??= this.#openPanel(title);
    this.#open.panel.setTitle(title);
    this.#open.panel.reveal();
    return this.#open.show(call);
  }

  /** Shows a call if the panel is open already, and leaves the focus unchanged. */
  follow(call: string): void {
    if (this.#open?.selected() !== call && this.#open?.show(call)) this.#nameAfter(call);
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #nameAfter(call: string): void {
    const node = this.#options.source.find(call);
    if (node) this.#open?.panel.setTitle(titleOf(node));
  }

  #openPanel(title: string): OpenTimeline {
    const timeline = connect(this.#options, (page, onDidClose) =>
      openPanel(
        this.#extension,
        {
          ...page,
          viewType: 'parley.timeline',
          title,
          icon: 'parley',
          column: ViewColumn.Active,
        },
        () => {
          this.#open = undefined;
          onDidClose();
        },
      ),
    );
    // In a browser, the first page of a window takes VS Code seconds to load, during which nothing is
    // visible, so progress is shown.
    const options = { location: ProgressLocation.Window, title: 'Opening the timeline' };
    void withProgress(options, () => timeline.opened);
    return timeline;
  }
}

/** The command of each action of the page. */
const COMMANDS = {
  openSource: 'parley.openSource',
  openRequest: 'parley.openRequest',
  openReply: 'parley.openReply',
  exportTrace: 'parley.exportTrace',
  copyTrace: 'parley.copyTrace',
  compareTrace: 'parley.compareTraces',
  replayCall: 'parley.replayCall',
} as const satisfies Record<ActOnCall['action'], CommandName>;

type Fill = (page: PageOptions<FromTimeline>, onDidClose: () => void) => Panel<ToTimeline>;

function connect(options: TimelineOptions, fill: Fill): OpenTimeline {
  const session = new TimelineSession(options, message => panel.post(message));
  const opened = defer<void>();
  const page: PageOptions<FromTimeline> = {
    bundle: 'timeline',
    isMessage: isFromTimeline,
    onMessage: message => {
      session.receive(message);
      if (message.type === 'ready') opened.resolve();
      if (message.type === 'selected') options.onSelected?.(message.call);
      else if (message.type === 'copy') void env.clipboard.writeText(message.text);
      else if (message.type === 'openLink') askToOpen(message.address);
      else if (message.type === 'act')
        runCommand(COMMANDS[message.action], { source: options.source, call: message.call });
    },
  };
  const panel = fill(page, () => {
    session.dispose();
    opened.resolve();
  });
  return {
    panel,
    show: call => session.show(call),
    selected: () => session.selected,
    opened: opened.promise,
  };
}

function titleOf({ call }: CallNode): string {
  return `${call.title} · ${call.agent}`;
}
