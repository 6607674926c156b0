import { ViewColumn } from 'vscode';
import type { ReadRange } from '../../base/read-file.ts';
import type {
  CancellationToken,
  CustomDocument,
  CustomReadonlyEditorProvider,
  Disposable,
  Uri,
  WebviewPanel,
} from 'vscode';
import {
  isFromInspector,
  type FromInspector,
  type ToInspector,
} from '../../../../wire/inspector-messages.ts';
import { fillPanel, openPanel, type PageOptions, type Panel } from '../../window/panel-host.ts';
import { FileSource } from './file-source.ts';
import type { Asker } from '../../language-client/ask.ts';
import type { FoundTensor } from '../../tensor/find-tensor.ts';
import { Inspector, type InspectorHost } from './inspector.ts';
import { MessageSource } from './message-source.ts';
import type { TensorSource } from './source.ts';

/** The custom editor of array files, as named in package.json. */
export const TENSOR_FILE_EDITOR = 'parley.tensorFile';

const VIEW_TYPE = 'parley.tensor';

/** Callbacks of the inspectors to the extension. */
export interface InspectorsHost {
  readonly server: Asker;
  /** Absent in a browser. */
  readonly readRange: ReadRange | undefined;
  onCompare(inspector: Inspector): Promise<void>;
}

interface OpenInspector {
  readonly inspector: Inspector;
  readonly panel: Panel<ToInspector>;
  readonly kind: PanelKind;
}

/** A panel created here and titled after its tensor, or an editor created and titled by VS Code. */
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

  /** The inspector with the focus. */
  get active(): Inspector | undefined {
    return [...this.#open].find(({ panel }) => panel.isActive)?.inspector;
  }

  get all(): readonly Inspector[] {
    return [...this.#open].map(({ inspector }) => inspector);
  }

  /** Shows a tensor of a document in its existing inspector, or in a new one beside. */
  inspect(found: FoundTensor): Inspector {
    return this.show(this.openMessage(found), found.answer.path);
  }

  /** Shows a source beside: in the existing inspector of the same tensor, or in a new one, which takes ownership. */
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
        {
          ...page,
          viewType: VIEW_TYPE,
          title: title || 'Tensor',
          icon: 'parley-tensor',
          column: ViewColumn.Beside,
        },
        onDidClose,
      ),
    );
  }

  /** Creates a source for a file or one of its tensors. */
  openFile(uri: Uri, member?: string): FileSource {
    return new FileSource(uri, this.#host.readRange, member);
  }

  /** Creates a source for a tensor of a document. */
  openMessage(found: FoundTensor): MessageSource {
    return new MessageSource(this.#host.server, found);
  }

  openCustomDocument(uri: Uri): CustomDocument {
    // Each editor has its own source and its own chosen tensor.
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: CustomDocument, panel: WebviewPanel, _: CancellationToken): void {
    this.#add(this.openFile(uri), 'editor', (page, onDidClose) =>
      fillPanel<FromInspector, ToInspector>(this.#extension, panel, page, onDidClose),
    );
  }

  dispose(): void {
    for (const { inspector, panel, kind } of [...this.#open]) {
      // The tab of a file stays open; VS Code fills it again when the extension is back.
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
