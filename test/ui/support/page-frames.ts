import { selectors } from 'playwright-core';

const ENGINE = 'page-frames';

/** Runs in the workbench: the frames of loaded webviews that VS Code has placed over an editor, not over a view. */
function createEngine(): { query(root: Element): Element | undefined; queryAll(root: Element): Element[] } {
  const queryAll = (root: Element): Element[] => {
    const editors = [...root.querySelectorAll<HTMLElement>('.part.editor [style*="anchor-name"]')];
    const names = new Set(editors.map(({ style }) => style.getPropertyValue('anchor-name')));
    return [...root.querySelectorAll('iframe.webview.ready')].filter(({ parentElement }) =>
      names.has(parentElement?.style.getPropertyValue('position-anchor') ?? ''),
    );
  };
  return { query: root => queryAll(root)[0], queryAll };
}

await selectors.register(ENGINE, createEngine);

/** The frames of pages in tabs. The address of a view's frame does not say that it is one once the view was hidden. */
export const PAGE_FRAMES = `${ENGINE}=all`;
