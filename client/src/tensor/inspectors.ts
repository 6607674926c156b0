import type {
  CancellationToken,
  CustomDocument,
  CustomReadonlyEditorProvider,
  Disposable,
  Uri,
  WebviewPanel,
} from 'vscode';
import { isFromInspector, type FromInspector, type ToInspector } from '../../../wire/inspector-messages.ts';
import { fillPanel, openPanel, type PageOptions, type Panel } from '../panels/panel-host.ts';
import type { ReadRange } from './array-file.ts';
import { FileSource } from './file-source.ts';
import type { FoundTensor, TensorFinder } from './find-tensor.ts';
import { Inspector, type InspectorHost } from './inspector.ts';
import { MessageSource } from './message-source.ts';
import type { TensorSource } from './source.ts';

/** The custom editor of array files, as package.json names it. */
export const TENSOR_FILE_EDITOR = 'parley.tensorFile';

const VIEW_TYPE = 'parley.tensor';

/** What the inspectors ask of the rest of the extension. */
export interface InspectorsHost {
  readonly finder: TensorFinder;
  /** Absent in a browser. */
  readonly readRange: ReadRange | undefined;
  onCompare(inspector: Inspector): Promise<void>;
}

interface OpenInspector {
  readonly inspector: Inspector;
  readonly panel: Panel<ToInspector>;
  readonly kind: PanelKind;
}

/** A panel of ours, named for its tensor, or the editor of a file, which VS Code made and names. */
type PanelKind = 'panel' | 'editor';

/** The open inspectors: panels beside an editor, and editors of array files. */
export class Inspectors implements Disposable, CustomReadonlyEditorProvider {
  readonly #extension: Uri;
  readonly #host: InspectorsHost;
  readonly #open = new Set<OpenInspector>();

  constructor(extension: Uri, host: InspectorsHost) {
    this.#extension = extension;
    this.#host = host;
  }

  /** The inspector that has the focus. */
  get active(): Inspector | undefined {
    return [...this.#open].find(({ panel }) => panel.isActive)?.inspector;
  }

  /** All that are open. */
  get all(): readonly Inspector[] {
    return [...this.#open].map(({ inspector }) => inspector);
  }

  /** Shows a tensor of a document: in its inspector, or in a new one beside. */
  inspect(found: FoundTensor): Inspector {
    return this.show(this.openMessage(found), found.answer.path);
  }

  /** Shows a source beside: in the inspector that its tensor of a document has, or in a new one, which owns it. */
  show(source: TensorSource, title?: string): Inspector {
    for (const { inspector, panel } of this.#open) {
      if (!(source instanceof MessageSource && inspector.source instanceof MessageSource)) continue;
      if (!inspector.source.isSame(source)) continue;
      source.dispose();
      panel.reveal();
      return inspector;
    }
    return this.#add(source, 'panel', (page, onDidClose) =>
      openPanel<FromInspector, ToInspector>(
        this.#extension,
        { ...page, viewType: VIEW_TYPE, title: title || 'Tensor', icon: 'parley-tensor', column: 'beside' },
        onDidClose,
      ),
    );
  }

  /** A source for a file, or a tensor of it. */
  openFile(uri: Uri, member?: string): FileSource {
    return new FileSource(uri, this.#host.readRange, member);
  }

  /** A source for a tensor of a document. */
  openMessage(found: FoundTensor): MessageSource {
    return new MessageSource(this.#host.finder, found);
  }

  openCustomDocument(uri: Uri): CustomDocument {
    // The source belongs to the editor: each has its own, and picks for itself.
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: CustomDocument, panel: WebviewPanel, _: CancellationToken): void {
    this.#add(this.openFile(uri), 'editor', (page, onDidClose) =>
      fillPanel<FromInspector, ToInspector>(this.#extension, panel, page, onDidClose),
    );
  }

  dispose(): void {
    for (const { inspector, panel, kind } of [...this.#open]) {
      // The tab of a file stays: VS Code fills it again when the extension is back.
      if (kind === 'panel') panel.dispose();
      else inspector.dispose();
    }
  }

  #add(
    source: TensorSource,
    kind: PanelKind,
    open: (page: PageOptions<FromInspector>, onDidClose: () => void) => Panel<ToInspector>,
  ): Inspector {
    const host: InspectorHost = {
      isVisible: () => panel.isVisible,
      post: message => panel.post(message),
      setTitle: title => {
        if (kind === 'panel') panel.setTitle(title);
      },
      onCompare: chosen => this.#host.onCompare(chosen),
    };
    const inspector = new Inspector(source, host);
    const page = {
      bundle: 'tensor',
      isMessage: isFromInspector,
      onMessage: (message: FromInspector) => inspector.receive(message),
    };
    const panel = open(page, () => {
      this.#open.delete(added);
      inspector.dispose();
    });
    const added: OpenInspector = { inspector, panel, kind };
    this.#open.add(added);
    return inspector;
  }
}
