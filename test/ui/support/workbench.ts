import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { ROOT } from '../../../scripts/root.ts';
import { openPage, type ColorScheme } from '../../../scripts/vscode/browser.ts';
import { prepareForTests } from '../../../scripts/vscode/prepare.ts';
import { copySamples, makeEmptyFolder } from '../../../scripts/vscode/samples.ts';
import { QUIET_SETTINGS } from '../../../scripts/vscode/settings.ts';
import { startServer, type ServerOptions } from '../../../scripts/vscode/server.ts';
import { PAGE_FRAMES } from './page-frames.ts';
import { isPictured } from './pictures.ts';
import { takeBrowser } from './shared-browser.ts';
import { expectSoon, PATIENCE_MS } from './wait.ts';

export interface WorkbenchOptions {
  readonly colorScheme?: ColorScheme;
  /** `asked` opens the folder in restricted mode, as a stranger's folder. */
  readonly trust?: 'off' | 'asked';
  /** Ours as a package instead of the folder of the project. */
  readonly vsix?: string;
  /** `empty` opens a folder without samples. */
  readonly folder?: 'samples' | 'empty';
  /** Files in the folder beside the samples, by their names. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A piece of a line in one colour. */
export interface Piece {
  readonly text: string;
  /** As CSS computes it. */
  readonly colour: string;
}

/**
 * Everything in a picture is ours: no tips, no chat, no welcome page, nothing that moves. The question at the start
 * would stand before what a test looks at: a window that asks is restricted until it is trusted.
 */
const SETTINGS = {
  ...QUIET_SETTINGS,
  'editor.cursorBlinking': 'solid',
  'security.workspace.trust.startupPrompt': 'never',
  // A file that an earlier test scrolled begins with its first line.
  'workbench.editor.restoreViewState': false,
  'window.autoDetectColorScheme': true,
  'workbench.preferredLightColorTheme': 'Light Modern',
  'workbench.preferredDarkColorTheme': 'Dark Modern',
};

/** Keys for what is done between tests: a command that is chosen from the palette takes ten times the work. */
const CLOSE_EDITORS = 'Control+Alt+Shift+F5';
const CLEAR_NOTIFICATIONS = 'Control+Alt+Shift+F6';
const HIDE_PANEL = 'Control+Alt+Shift+F7';

const COMMANDS: ReadonlyMap<string, string> = new Map([
  [CLOSE_EDITORS, 'workbench.action.closeAllEditors'],
  [CLEAR_NOTIFICATIONS, 'notifications.clearAll'],
  [HIDE_PANEL, 'workbench.action.closePanel'],
]);

const PAYLOAD: ReadonlyMap<string, string> = new Map([
  ['skipWelcome', 'true'],
  ['skipReleaseNotes', 'true'],
]);

/** As long as VS Code usually takes to answer a key, and more. */
const KEY_MS = 3_000;

/** Of the workbench, by its colours. */
const CLASSES: Readonly<Record<ColorScheme, string>> = { light: 'vs', dark: 'vs-dark' };

/** A window of a real VS Code on a copy of samples/, driven as a user would: by what is visible and by keys. */
export class Workbench {
  readonly page: Page;
  /** The folder that is open; empty where somebody else opened it. */
  readonly folder: string;
  /** What ends with the window, last first. */
  readonly #endings: readonly (() => Promise<void>)[];

  private constructor(page: Page, folder: string, endings: readonly (() => Promise<void>)[]) {
    this.page = page;
    this.folder = folder;
    this.#endings = endings;
  }

  /** Starts a server of its own on a copy of samples/. */
  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const prepared = await prepareForTests(line => console.log(line));
    const samples = await (options.folder === 'empty' ? makeEmptyFolder() : copySamples());
    for (const [name, content] of Object.entries(options.files ?? {}))
      await writeFile(join(samples.folder, name), content);
    const server = await startServer(prepared.server, serverOptions(options));
    const url = server.pageUrl(samples.folder, PAYLOAD);
    const endings = [() => samples.remove(), () => server.stop()];
    return Workbench.#show({ url, folder: samples.folder }, options, endings);
  }

  /** Opens a window that somebody else serves. */
  static async visit(url: string): Promise<Workbench> {
    return Workbench.#show({ url, folder: '' }, {}, []);
  }

  static async #show(
    { url, folder }: { readonly url: string; readonly folder: string },
    options: WorkbenchOptions,
    endings: readonly (() => Promise<void>)[],
  ): Promise<Workbench> {
    const page = await openPage(await takeBrowser(), options.colorScheme ?? 'dark');
    page.setDefaultTimeout(PATIENCE_MS);
    const workbench = new Workbench(page, folder, [...endings, () => page.context().close()]);
    try {
      await page.goto(url);
      await page.locator('.monaco-workbench .part.statusbar').waitFor();
      return workbench;
    } catch (error) {
      await workbench.close();
      throw error;
    }
  }

  /** Closes the window and ends what serves it. */
  async close(): Promise<void> {
    for (const end of this.#endings.toReversed()) await end();
  }

  /** Closes all editors, and drops what was not saved, as a user does. */
  async closeEditors(): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    const closed = dialog.or(this.page.locator('.monaco-workbench:not(:has(.tabs-container .tab))'));
    await this.#press(CLOSE_EDITORS, closed.first(), 'visible');
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: "Don't Save" }).click();
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }

  /** Closes all that is open. */
  async clear(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.closeEditors();
    await this.clearNotifications();
    await this.#press(HIDE_PANEL, this.page.locator('.part.panel'), 'hidden');
    // A page that opens late would be taken for one of the next test file.
    await expectSoon(() => this.page.locator(PAGE_FRAMES).count(), 0);
  }

  /** Closes all notifications. */
  async clearNotifications(): Promise<void> {
    await this.#press(CLEAR_NOTIFICATIONS, this.page.locator('.notification-list-item').first(), 'hidden');
  }

  /** Presses a key, again and again until its effect is there: while the focus moves, VS Code gets no keys. */
  async #press(key: string, effect: Locator, state: 'visible' | 'hidden'): Promise<void> {
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      await this.page.keyboard.press(key);
      if (await succeeds(effect.waitFor({ state, timeout }))) return;
    }
    assert.fail(`${key} (${COMMANDS.get(key)}) has no effect`);
  }

  /** Opens the side panel, with no trace in it: the command waits until stored traces are read, the view does not. */
  async clearTraces(): Promise<void> {
    await this.openSidePanel();
    const row = this.view('Traces').locator('.monaco-list-row').first();
    await this.runCommand('Parley Traces: Clear…');
    const clear = this.page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true });
    if (await succeeds(clear.waitFor({ timeout: KEY_MS }))) await clear.click();
    await row.waitFor({ state: 'detached' });
  }

  /** Changes the colours as the system of a user does, by the hour. */
  async wear(colorScheme: ColorScheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await this.page.locator(`.monaco-workbench.${CLASSES[colorScheme]}`).waitFor();
  }

  /** Opens a file of the folder by Quick Open; returns its editor. */
  async openFile(name: string): Promise<Locator> {
    await this.#openTab(name);
    const editor = this.editor(name);
    await editor.locator('.view-line').first().waitFor();
    return editor;
  }

  /** Opens a file of the folder that has an editor of its own; returns the page in it. */
  async openPage(name: string): Promise<FrameLocator> {
    await this.#openTab(name);
    return this.webview();
  }

  /** Asks for a file by Quick Open until its tab is there: the list may close by itself just before its row is clicked. */
  async #openTab(name: string): Promise<void> {
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      await this.#quickInput('Control+p', name, name);
      if (await succeeds(this.tab(name).waitFor({ timeout }))) return;
    }
    assert.fail(`${name} does not open`);
  }

  /** Runs a command of the palette by its whole title, such as `Parley Traces: Clear…`. */
  async runCommand(title: string): Promise<void> {
    await this.#quickInput('F1', `>${title}`, title);
  }

  /** Runs a command of the palette that asks, and answers by rows of its list, one after the other. */
  async pick(title: string, ...answers: readonly string[]): Promise<void> {
    const widget = await this.#askCommand(title);
    for (const answer of answers)
      await widget.locator('.monaco-list-row', { hasText: answer }).first().click();
    await widget.waitFor({ state: 'hidden' });
  }

  /** Trusts the folder as a user does, and closes the page that asked. */
  async trust(): Promise<void> {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
    await this.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'hidden' });
    await this.page.keyboard.press('Control+w');
  }

  /** Chooses a command of the palette. One that is opened early has only the commands that were known by then. */
  async #askCommand(title: string): Promise<Locator> {
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      const widget = await this.askQuickInput('F1', `>${title}`);
      const row = widget.locator('.monaco-list-row', { hasText: title }).first();
      if (await succeeds(row.click({ timeout }))) return widget;
      await this.page.keyboard.press('Escape');
    }
    return assert.fail(`the palette has no ${title}`);
  }

  /** Chooses a row of what a key asks. A list that is still changing may be an old one, or miss the click: it is asked again. */
  async #quickInput(key: string, text: string, row: string): Promise<void> {
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      const widget = await this.askQuickInput(key, text);
      const found = widget.locator('.monaco-list-row', { hasText: row }).first();
      const chosen = found.click({ timeout }).then(() => widget.waitFor({ state: 'hidden', timeout }));
      if (await succeeds(chosen)) return;
      await this.page.keyboard.press('Escape');
    }
    assert.fail(`${key} finds no ${row}`);
  }

  /** What a key asks. While the focus moves from one editor to another, VS Code hears no keys: then it is pressed again. */
  async openQuickInput(key: string): Promise<Locator> {
    const widget = this.page.locator('.quick-input-widget:visible');
    const end = Date.now() + PATIENCE_MS;
    while (!(await widget.isVisible()) && Date.now() < end) {
      await this.page.keyboard.press(key);
      await widget.waitFor({ timeout: KEY_MS }).catch(() => undefined);
    }
    return widget;
  }

  /** Types into what a key asks. It closes again where the focus moves on just then: then it is opened once more. */
  async askQuickInput(key: string, text: string): Promise<Locator> {
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end) {
      const widget = await this.openQuickInput(key);
      const filled = widget.locator('input[type="text"]').fill(text, { timeout: KEY_MS });
      if (await succeeds(filled)) return widget;
    }
    assert.fail(`what ${key} asks does not stay open`);
  }

  /** Titles of all tabs, from left to right, as a screen reader says them. */
  tabs(): Promise<readonly string[]> {
    return listLabels(this.page.locator('.tabs-container .tab'));
  }

  /** The tab whose title starts with a text. */
  tab(title: string): Locator {
    return this.page.locator(`.tabs-container .tab[aria-label^=${JSON.stringify(title)}]`).first();
  }

  /** The text after the title of such a tab, as in CSS: `"3"`, or `none`. */
  tabBadge(title: string): Promise<string> {
    const label = this.tab(title).locator('.monaco-icon-label');
    return label.evaluate(node => getComputedStyle(node, '::after').content);
  }

  /** The text editor whose file name contains a text. */
  editor(name: string): Locator {
    return this.page
      .locator(`.editor-instance .monaco-editor[data-uri*=${JSON.stringify(encodeURI(name))}]`)
      .first();
  }

  /** Types at a place of the file whose tab starts with a title; lines and columns count from 1. */
  async typeAt(title: string, line: number, column: number, text: string): Promise<void> {
    await this.tab(title).click();
    // Without the focus, Enter would be typed into the editor; the list may also close before it moves the cursor.
    const place = this.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).first();
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      const widget = await this.askQuickInput('Control+g', `:${line}:${column}`);
      const moved = widget
        .locator('input[type="text"]')
        .press('Enter', { timeout })
        .then(() => widget.waitFor({ state: 'hidden', timeout }))
        .then(() => place.waitFor({ timeout }));
      if (await succeeds(moved)) return this.page.keyboard.type(text);
    }
    assert.fail(`the cursor does not go to ${line}:${column} of ${title}`);
  }

  /** CodeLenses of an editor with a text; they come when the server has read the file. */
  lenses(editor: Locator, text: string): Locator {
    return editor.locator('.codelens-decoration a', { hasText: text });
  }

  /** Clicks the lens above the topmost line with a text. Lenses are drawn in the order of their lines. */
  async clickLens(editor: Locator, lens: string, line: string): Promise<void> {
    // An editor moves its lines while it draws lenses: what does not stand still is looked at again.
    let last = '';
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end) {
      const found = (await editor.evaluateHandle(findLens, { lens, line })).asElement();
      const place = JSON.stringify(await found?.boundingBox());
      const isStill = place === last;
      last = place;
      const isClicked = isStill && found !== null && (await succeeds(found.click({ timeout: KEY_MS })));
      if (isClicked) return;
      await this.page.waitForTimeout(100);
    }
    assert.fail(`no ${lens} stands above ${line}`);
  }

  /** Wavy lines under errors. */
  errorUnderlines(editor: Locator): Locator {
    return editor.locator('.squiggly-error');
  }

  /** What the hover over a piece of an editor's text says; the piece is the text of one colour. */
  async hover(editor: Locator, text: string): Promise<string> {
    const piece = editor.locator('.view-line span > span').getByText(text, { exact: true }).first();
    const hover = this.page.locator('.monaco-hover:not(.workbench-hover):visible .hover-row').first();
    // An editor moves its lines while it draws lenses, and the piece away from under the pointer: it is gone to again.
    for (let wait = KEY_MS; !(await hover.isVisible()) && wait <= PATIENCE_MS; wait *= 2) {
      await this.page.mouse.move(0, 0);
      await piece.hover();
      await hover.waitFor({ timeout: wait }).catch(() => undefined);
    }
    const said = (await hover.innerText()).replaceAll('\u00a0', ' ').trim();
    await this.page.keyboard.press('Escape');
    return said;
  }

  /** What an editor shows, line by line, without what is scrolled out of it. */
  async linesOf(editor: Locator): Promise<readonly string[]> {
    return (await this.colouredLinesOf(editor)).map(pieces => pieces.map(({ text }) => text).join(''));
  }

  /** The line that begins with a text, in pieces of one colour; none where no such line is shown. */
  async piecesOf(editor: Locator, text: string): Promise<readonly Piece[]> {
    const lines = await this.colouredLinesOf(editor);
    return (
      lines.find(pieces =>
        pieces
          .map(piece => piece.text)
          .join('')
          .startsWith(text),
      ) ?? []
    );
  }

  /** The same, each line in pieces of one colour. */
  async colouredLinesOf(editor: Locator): Promise<readonly (readonly Piece[])[]> {
    const lines = await editor.locator('.view-line').evaluateAll(nodes =>
      nodes.map(node => ({
        top: Number.parseFloat((node as HTMLElement).style.top),
        pieces: [...node.querySelectorAll('span > span')].map(span => ({
          text: (span.textContent ?? '').replaceAll('\u00a0', ' '),
          colour: getComputedStyle(span).color,
        })),
      })),
    );
    return lines.sort((one, other) => one.top - other.top).map(({ pieces }) => pieces);
  }

  /** Opens Parley's side panel. */
  async openSidePanel(): Promise<void> {
    const item = this.page.locator('.activitybar a.action-label[aria-label^="Parley"]').first();
    await item.waitFor();
    const isOpen = await item.evaluate(node => node.parentElement?.classList.contains('checked') ?? false);
    if (!isOpen) await item.click();
    await this.view('Traces').waitFor();
  }

  /** A view of the side bar by its title. */
  view(title: string): Locator {
    return this.page.locator('.pane', { has: this.page.locator(`.pane-header[aria-label^="${title}"]`) });
  }

  /** The row of a tree view that a screen reader says so. */
  row(view: string, said: RegExp): Locator {
    return this.view(view).getByRole('treeitem', { name: said }).first();
  }

  /** Opens a call of the Traces view on its timeline: clicks its row again where it was drawn anew in that moment. */
  async openCall(said: RegExp, title: string): Promise<FrameLocator> {
    for (let timeout = KEY_MS; timeout <= PATIENCE_MS; timeout *= 2) {
      await this.row('Traces', said).click();
      const isOpen = await succeeds(this.tab(title).waitFor({ timeout }));
      if (isOpen) return this.webview();
    }
    return assert.fail(`${title} does not open`);
  }

  /** Rows of a tree view as a screen reader says them. */
  rowsOf(title: string): Promise<readonly string[]> {
    return listLabels(this.view(title).locator('.monaco-list-row'));
  }

  /** The page inside the webview of the active tab: the innermost frame. The side panel has one of its own. */
  webview(): FrameLocator {
    return this.page.frameLocator(PAGE_FRAMES).frameLocator('iframe#active-frame');
  }

  /** Leaves a picture of the window where SCREENSHOTS asks for pictures: in docs/images if a page shows it, else in .build. */
  async screenshot(name: string, size?: { readonly width: number; readonly height: number }): Promise<void> {
    if (!isPictured) return;
    const before = this.page.viewportSize();
    if (size) await this.page.setViewportSize(size);
    const shown = join(ROOT, 'docs/images', `${name}.png`);
    const path = existsSync(shown) ? shown : join(ROOT, '.build/pictures', `${name}.png`);
    await this.page.screenshot({ path, animations: 'disabled' });
    if (size && before) await this.page.setViewportSize(before);
  }
}

/** True for work that succeeds; false for work that fails, such as a wait that times out. */
function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Read at once: a list that changes while it is read shows nothing that ever was. */
function listLabels(items: Locator): Promise<readonly string[]> {
  return items.evaluateAll(nodes => nodes.map(node => node.getAttribute('aria-label') ?? ''));
}

/** Runs in the page: the lens with a text right above the topmost line with another; null while there is none. */
function findLens(
  editor: Element,
  { lens, line }: { readonly lens: string; readonly line: string },
): Element | null {
  const withText = (selector: string, text: string): readonly Element[] =>
    [...editor.querySelectorAll(selector)].filter(node =>
      (node.textContent ?? '').replaceAll('\u00a0', ' ').includes(text),
    );
  const lines = withText('.view-line', line).map(node => node.getBoundingClientRect());
  const [top] = lines.sort((one, other) => one.y - other.y);
  const isAbove = (node: Element): boolean => {
    const { y } = node.getBoundingClientRect();
    return top !== undefined && y < top.y && top.y - y < 2 * top.height;
  };
  return withText('.codelens-decoration a', lens).find(isAbove) ?? null;
}

function serverOptions({ trust = 'off', vsix }: WorkbenchOptions): ServerOptions {
  return {
    trust,
    driver: 'person',
    bundled: 'few',
    settings: SETTINGS,
    keys: COMMANDS,
    install: vsix === undefined ? { folder: ROOT } : { vsix },
  };
}
