import { Uri, ViewColumn, window, type Disposable, type Webview } from 'vscode';
import { DisposableStore } from '../dispose.ts';

/** What a panel shows and hears. */
export interface PanelOptions<In> {
  readonly viewType: string;
  readonly title: string;
  /** The name of its script and style sheet in dist/webviews. */
  readonly bundle: string;
  /** The name of its icon in media, without `-light.svg` and `-dark.svg`. */
  readonly icon: string;
  readonly isMessage: (value: unknown) => value is In;
  readonly onMessage: (message: In) => void;
}

/** An open panel. `onDidClose` is called once. */
export interface Panel<Out> extends Disposable {
  post(message: Out): void;
  reveal(): void;
  setTitle(title: string): void;
}

/**
 * Opens a webview panel. This is the one place that assigns `webview.html`, and it does so once: a page without content,
 * with one script of ours. What the page shows comes by messages and is set as text.
 */
export function openPanel<In, Out>(
  extension: Uri,
  options: PanelOptions<In>,
  onDidClose: () => void,
): Panel<Out> {
  const store = new DisposableStore();
  const folder = Uri.joinPath(extension, 'dist', 'webviews');
  const panel = window.createWebviewPanel(
    options.viewType,
    options.title,
    { viewColumn: ViewColumn.Active, preserveFocus: false },
    { enableScripts: true, localResourceRoots: [folder] },
  );
  panel.iconPath = {
    light: Uri.joinPath(extension, 'media', `${options.icon}-light.svg`),
    dark: Uri.joinPath(extension, 'media', `${options.icon}-dark.svg`),
  };
  store.add(panel);
  store.add(
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (options.isMessage(message)) options.onMessage(message);
    }),
  );
  panel.onDidDispose(() => {
    store.dispose();
    onDidClose();
  });
  panel.webview.html = buildPage(panel.webview, folder, options);
  return {
    // A panel that was closed meanwhile takes no message, and nobody waits for one.
    post: message => void panel.webview.postMessage(message),
    reveal: () => panel.reveal(undefined, false),
    setTitle: title => {
      panel.title = title;
    },
    dispose: () => store.dispose(),
  };
}

function buildPage(
  webview: Webview,
  folder: Uri,
  options: { readonly bundle: string; readonly title: string },
): string {
  const nonce = createNonce();
  const script = webview.asWebviewUri(Uri.joinPath(folder, `${options.bundle}.js`)).toString();
  const style = webview.asWebviewUri(Uri.joinPath(folder, `${options.bundle}.css`)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
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

/** 128 random bits. The host's web cryptography is there in the desktop and in the browser. */
function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
