import { onRow, type Manifest } from '../manifest.ts';

/** The page of a reply is in front. */
const ON_PAGE = 'activeWebviewPanelId == parley.reply';
/** The document of a reply is in front, and its states. */
const ON_REPLY = 'resourceScheme == parley-reply';
const WITH_CALL = `${ON_REPLY} && resource =~ /call%3D/`;
const GROWING = `${ON_REPLY} && resource in parley.growingReplies && resource not in parley.pausedReplies`;
const PAUSED = `${ON_REPLY} && resource in parley.pausedReplies`;

export const REPLIES = {
  category: 'Parley',
  commands: [
    {
      name: 'readReply',
      title: 'Read Reply',
      icon: 'open-preview',
      palette: ON_REPLY,
      menus: {
        'editor/title': { group: 'navigation@1', when: WITH_CALL },
        'view/item/context': { group: '1_show@1', when: onRow('traces', /^call\./) },
      },
    },
    {
      name: 'pauseReply',
      title: 'Pause Reply',
      icon: 'debug-pause',
      palette: GROWING,
      menus: { 'editor/title': { group: 'navigation@2', when: GROWING } },
    },
    {
      name: 'resumeReply',
      title: 'Resume Reply',
      icon: 'debug-continue',
      palette: PAUSED,
      menus: { 'editor/title': { group: 'navigation@2', when: PAUSED } },
    },
    {
      name: 'showRaw',
      title: 'Show Raw Reply',
      icon: 'output',
      palette: `${ON_REPLY} || ${ON_PAGE}`,
      menus: {
        'editor/title': { group: 'navigation@3', when: WITH_CALL },
        'view/item/context': { group: '1_show@2', when: onRow('traces', /^call\./) },
      },
    },
  ],
} as const satisfies Manifest;
