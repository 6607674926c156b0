import {
  IN_BROWSER,
  inView,
  NEVER,
  ON_DESKTOP,
  onRow,
  TRUSTED,
  withIcon,
  type Manifest,
} from '../manifest.ts';

export const AGENTS = {
  category: 'Parley Agents',
  commands: [
    {
      name: 'addAgent',
      title: 'Add…',
      icon: 'add',
      menus: { 'view/title': { group: 'navigation@1', when: inView('agents', ON_DESKTOP) } },
    },
    {
      name: 'connectAgent',
      title: 'Connect…',
      icon: 'plug',
      enablement: TRUSTED,
      menus: {
        'view/item/context': withIcon(1, '1_connect@1', onRow('agents', /^agent\.(idle|failed)/)),
      },
    },
    {
      name: 'disconnectAgent',
      title: 'Disconnect…',
      palette: 'parley.agentsConnected',
      icon: 'debug-disconnect',
      enablement: TRUSTED,
      menus: {
        'view/item/context': withIcon(2, '1_connect@2', onRow('agents', /^agent\.connect/)),
      },
    },
    {
      name: 'refreshAgent',
      title: 'Refresh Tools',
      palette: NEVER,
      icon: 'refresh',
      enablement: TRUSTED,
      menus: {
        'view/title': { group: 'navigation@2', when: inView('agents', ON_DESKTOP) },
        'view/item/context': withIcon(1, '1_connect@1', onRow('agents', /^agent\.connected/)),
      },
    },
    {
      name: 'signOut',
      title: 'Sign Out',
      palette: NEVER,
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '1_connect@3', when: onRow('agents', /^agent\..*\.signIn/) } },
    },
    {
      name: 'callTool',
      title: 'Call Tool…',
      icon: 'play',
      enablement: ON_DESKTOP,
      menus: {
        'view/item/context': withIcon(1, '1_call@1', onRow('agents', /^tool$/)),
      },
    },
    {
      name: 'insertCall',
      title: 'Insert Call',
      icon: 'insert',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': withIcon(2, '1_call@2', onRow('agents', /^tool$/)),
      },
    },
    {
      name: 'insertRequest',
      title: 'Insert Request',
      icon: 'insert',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': withIcon(2, '1_call@2', onRow('agents', /^(resource|prompt)$/)),
      },
    },
    {
      name: 'copyCall',
      title: 'Copy Call As…',
      icon: 'copy',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': [
          { group: 'inline@3', when: onRow('agents', /^tool$/) },
          { group: '1_call@3', when: onRow('agents', /^tool$/) },
        ],
      },
    },
    {
      name: 'writeJsonRequest',
      title: 'Write Request in JSON',
      icon: 'new-file',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': [
          { group: 'inline@2', when: onRow('agents', /^(resource|prompt)$/) },
          { group: '1_call@4', when: onRow('agents', /^(tool|resource|prompt)$/) },
        ],
      },
    },
    {
      name: 'openAgentsFile',
      title: 'Open File',
      icon: 'edit',
      menus: {
        'view/title': { group: 'navigation@3', when: inView('agents') },
        'view/item/context': withIcon(9, '3_entry@1', onRow('agents', /^agent|^problem/)),
      },
    },
    {
      name: 'messageAgent',
      title: 'Send Message',
      icon: 'comment',
      palette: NEVER,
      enablement: TRUSTED,
      menus: {
        'view/item/context': withIcon(8, '0_message', onRow('agents', /^agent/)),
      },
    },
    {
      name: 'renameAgent',
      title: 'Rename…',
      palette: NEVER,
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '3_entry@2', when: onRow('agents', /^agent/) } },
    },
    {
      name: 'removeAgent',
      title: 'Remove…',
      palette: NEVER,
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '3_entry@3', when: onRow('agents', /^agent/) } },
    },
    {
      name: 'correctAgent',
      title: 'Correct Protocol',
      palette: NEVER,
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '2_doctor@2', when: onRow('agents', /^agent\..*\.mistaken$/) } },
    },
    {
      name: 'diagnoseAgent',
      title: 'Diagnose Connection…',
      icon: 'pulse',
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '2_doctor', when: onRow('agents', /^agent/) } },
    },
    {
      name: 'startDemoAgents',
      title: 'Start Demo Agents',
      palette: '!parley.demoRunning',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '1_demo', when: inView('agents', '!parley.demoRunning') } },
    },
    {
      name: 'stopDemoAgents',
      title: 'Stop Demo Agents',
      palette: 'parley.demoRunning',
      enablement: 'parley.demoRunning',
      menus: { 'view/title': { group: '1_demo', when: inView('agents', 'parley.demoRunning') } },
    },
  ],
  views: [
    {
      id: 'agents',
      name: 'Agents',
      size: 1,
      welcome: [
        {
          contents:
            'Agents that requests go to are listed here, with their tools.\n[Add agent](command:parley.addAgent)\nNo agent at hand? Open [an agents file with the demo agents](command:parley.openAgentsFile).',
          when: `workspaceFolderCount != 0 && ${TRUSTED}`,
        },
        {
          contents:
            'This workspace is not trusted, so Parley does not connect to its agents.\n[Manage workspace trust](command:workbench.trust.manage)',
          when: `!isWorkspaceTrusted && ${ON_DESKTOP}`,
        },
        {
          contents:
            "Agents are listed in a folder's .vscode/agents.json.\n[Open folder](command:vscode.openFolder)",
          when: `workspaceFolderCount == 0 && ${TRUSTED}`,
        },
        {
          contents:
            'A browser sends no requests. Agents are listed in .vscode/agents.json, for VS Code on a computer.\n[Open agents file](command:parley.openAgentsFile)',
          when: IN_BROWSER,
        },
      ],
    },
  ],
} as const satisfies Manifest;
