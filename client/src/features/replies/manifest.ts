import { onRow, type Manifest } from '../manifest.ts';

/** The page of a reply is in front. */
const ON_PAGE = 'activeWebviewPanelId == parley.reply';

export const REPLIES = {
  category: 'Parley',
  commands: [
    {
      name: 'readReply',
      title: 'Read Reply',
      icon: 'open-preview',
      palette: 'resourceScheme == parley-reply',
      menus: {
        'editor/title': {
          group: 'navigation@1',
          when: 'resourceScheme == parley-reply && resource =~ /call%3D/',
        },
        'view/item/context': { group: '1_show@1', when: onRow('traces', /^call\./) },
      },
    },
    {
      name: 'pauseReply',
      title: 'Pause Reply',
      icon: 'debug-pause',
      palette:
        'resourceScheme == parley-reply && resource in parley.growingReplies && resource not in parley.pausedReplies',
      menus: {
        'editor/title': {
          group: 'navigation@2',
          when: 'resourceScheme == parley-reply && resource in parley.growingReplies && resource not in parley.pausedReplies',
        },
      },
    },
    {
      name: 'resumeReply',
      title: 'Resume Reply',
      icon: 'debug-continue',
      palette: 'resourceScheme == parley-reply && resource in parley.pausedReplies',
      menus: {
        'editor/title': {
          group: 'navigation@2',
          when: 'resourceScheme == parley-reply && resource in parley.pausedReplies',
        },
      },
    },
    {
      name: 'showRaw',
      title: 'Show Raw Reply',
      icon: 'output',
      palette: `resourceScheme == parley-reply || ${ON_PAGE}`,
      menus: {
        'editor/title': {
          group: 'navigation@3',
          when: 'resourceScheme == parley-reply && resource =~ /call%3D/',
        },
        'view/item/context': { group: '1_show@2', when: onRow('traces', /^call\./) },
      },
    },
  ],
} as const satisfies Manifest;
