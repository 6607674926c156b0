import { openLoopback } from '../../../client/src/agents/sign-in-loopback.ts';
import { openMemoryHost } from '../../../agents/mcp/auth/memory-host.ts';
import type { SignInBrowser, SignInHost, SignInQuestion } from '../../../agents/sign-in-host.ts';

/** A user who agrees to everything, and a browser without a window. Questions and opened pages are recorded. */
export interface HeadlessHost extends SignInHost {
  readonly browser: SignInBrowser;
  readonly asked: SignInQuestion[];
  readonly opened: URL[];
}

export function openHeadlessHost(): HeadlessHost {
  const asked: SignInQuestion[] = [];
  const opened: URL[] = [];
  return {
    ...openMemoryHost(),
    asked,
    opened,
    browser: {
      askLeave: question => {
        asked.push(question);
        return Promise.resolve(true);
      },
      openReturn: openLoopback,
      open: async url => {
        opened.push(url);
        // Follows the redirect back to us, as a browser does.
        const page = await fetch(url);
        await page.text();
      },
    },
  };
}
