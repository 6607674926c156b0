import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import { printRawReply } from '../../../../trace/raw-reply.ts';
import { Changing } from '../../base/changing.ts';
import { Throttle } from '../../base/throttle.ts';
import type { TraceStore } from '../../trace/trace-store.ts';
import { readReplyCall } from '../../replies/reply-query.ts';

/** The URI scheme of the read-only documents that show bytes on the wire. */
export const RAW_SCHEME = 'parley-raw';

/** Serves the unparsed bytes of replies, from the traces, which contain no secrets. The documents grow in place. */
export class RawReplies extends Changing<Uri> implements TextDocumentContentProvider {
  readonly #traces: TraceStore;
  /** Calls whose reply has grown since the last redraw. */
  readonly #grown = new Set<string>();

  constructor(traces: TraceStore) {
    super();
    this.#traces = traces;
    this.own(workspace.registerTextDocumentContentProvider(RAW_SCHEME, this));
    const redraw = this.own(new Throttle(() => this.#redraw()));
    this.own(
      traces.onDidChange(({ added }) => {
        if (!added) return;
        this.#grown.add(added.event.call);
        redraw.request();
      }),
    );
  }

  /** The document of a call's reply; undefined if the call is no longer stored. */
  find(call: string): Uri | undefined {
    const node = this.#traces.findCall(call)?.node;
    if (!node) return undefined;
    const title = node.call.title.replace(/[\\/]/g, '∕');
    return Uri.from({ scheme: RAW_SCHEME, path: `/${title} (raw)`, query: `call=${call}` });
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const call = readReplyCall(uri.query) ?? '';
    if (!this.#traces.findCall(call))
      return 'This call is no longer stored. Send its request again to see the raw reply.\n';
    return printRawReply(await this.#traces.eventsOf(call));
  }

  #redraw(): void {
    for (const { uri } of workspace.textDocuments) {
      if (uri.scheme === RAW_SCHEME && this.#grown.has(readReplyCall(uri.query) ?? ''))
        this.changed.fire(uri);
    }
    this.#grown.clear();
  }
}
