import {
  Uri,
  type ViewColumn,
  window,
  type Disposable,
  type Webview,
  type WebviewPanel,
  type WebviewView,
} from 'vscode';
import { DisposableStore } from '../base/dispose.ts';

/** The content and callbacks of a page. */
export interface PageOptions<In> {
  /** The name of its script and style sheet in dist/webviews. */
  readonly bundle: string;
  readonly isMessage: (value: unknown) => value is In;
  readonly onMessage: (message: In) => void;
}

/** A page in its own panel. */
export interface PanelOptions<In> extends PageOptions<In> {
  readonly viewType: string;
  readonly title: string;
  /** The name of its icon in media, without `-light.svg` and `-dark.svg`. */
  readonly icon: string;
  /** The group in which it opens. */
  readonly column: ViewColumn;
  /** Leaves the focus unchanged. */
  readonly keepsFocus?: true;
}

/** An open panel. `onDidClose` is called once. */
export interface Panel<Out> extends Disposable {
  /**
   * False while another tab of its group is in front. The page is destroyed then, and loaded again when it
   * becomes visible.
   */
  readonly isVisible: boolean;
  /** True while it has the focus. */
  readonly isActive: boolean;
  /** The group in which it is. */
  readonly column: ViewColumn | undefined;
  /**
   * Sends a message. Arrays of bytes in it must own their whole buffer, because a view would transfer all of
   * its buffer.
   */
  post(message: Out): void;
  reveal(): void;
  /** Moves it to another group, and leaves the focus unchanged. */
  moveTo(column: ViewColumn): void;
  setTitle(title: string): void;
}

/** Opens a webview panel with a page. */
export function openPanel<In, Out>(
  extension: Uri,
  options: PanelOptions<In>,
  onDidClose: () => void,
): Panel<Out> {
  const panel = window.createWebviewPanel(options.viewType, options.title, {
    viewColumn: options.column,
    preserveFocus: options.keepsFocus === true,
  });
  panel.iconPath = {
    light: Uri.joinPath(extension, 'media', `${options.icon}-light.svg`),
    dark: Uri.joinPath(extension, 'media', `${options.icon}-dark.svg`),
  };
  return fillPanel(extension, panel, options, onDidClose);
}

/** Fills an empty panel with a page, such as a panel that VS Code created for a custom editor. */
export function fillPanel<In, Out>(
  extension: Uri,
  panel: WebviewPanel,
  options: PageOptions<In>,
  onDidClose: () => void,
): Panel<Out> {
  const store = new DisposableStore();
  store.add(panel);
  store.add(fillWebview(extension, panel.webview, options));
  panel.onDidDispose(() => {
    store.dispose();
    onDidClose();
  });
  return {
    get isVisible() {
      return panel.visible;
    },
    get isActive() {
      return panel.active;
    },
    get column() {
      return panel.viewColumn;
    },
    // Not awaited: a panel that was closed meanwhile accepts no message.
    post: message => void panel.webview.postMessage(message),
    reveal: () => panel.reveal(undefined, false),
    moveTo: column => panel.reveal(column, true),
    setTitle: title => {
      panel.title = title;
    },
    dispose: () => store.dispose(),
  };
}

/** A page in a view of the side bar. */
export interface Page<Out> {
  post(message: Out): void;
}

/** Fills an empty view of the side bar with a page. `onDidClose` is called once, when VS Code disposes of the view. */
export function fillView<In, Out>(
  extension: Uri,
  view: WebviewView,
  options: PageOptions<In>,
  onDidClose: () => void,
): Page<Out> {
  const filled = fillWebview(extension, view.webview, options);
  view.onDidDispose(() => {
    filled.dispose();
    onDidClose();
  });
  // Not awaited: a view that was closed meanwhile accepts no message.
  return { post: message => void view.webview.postMessage(message) };
}

/**
 * The only function that assigns `webview.html`, once per webview: an empty page with one script. Content
 * arrives in messages and is set as text.
 */
function fillWebview<In>(extension: Uri, webview: Webview, options: PageOptions<In>): Disposable {
  const folder = Uri.joinPath(extension, 'dist', 'webviews');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const listening = webview.onDidReceiveMessage((message: unknown) => {
    if (options.isMessage(message)) options.onMessage(message);
  });
  webview.html = buildPage(webview, folder, options.bundle);
  return listening;
}

function buildPage(webview: Webview, folder: Uri, bundle: string): string {
  const nonce = createNonce();
  const script = webview.asWebviewUri(Uri.joinPath(folder, `${bundle}.js`)).toString();
  const style = webview.asWebviewUri(Uri.joinPath(folder, `${bundle}.css`)).toString();
  // Pictures and sounds are blobs that the script makes of bytes in messages; nothing is loaded from elsewhere.
  const media = 'img-src blob:; media-src blob:';
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; ${media}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${style}">
<title>Parley</title>
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/** 128 random bits from the web cryptography API, which desktop and browser hosts both have. */
function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
