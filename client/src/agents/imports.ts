import { homedir } from 'node:os';
import { join } from 'node:path';
import { Uri, type WorkspaceFolder } from 'vscode';
import type { AgentImport, PastedDrafts } from '../services/agent-draft.ts';
import { readConfig } from './read-config.ts';

/** Files of a folder in which other programs list agents. */
const FOLDER_FILES: readonly (readonly [title: string, path: string])[] = [
  ['Claude Code', '.mcp.json'],
  ['Cursor', '.cursor/mcp.json'],
  ['VS Code', '.vscode/mcp.json'],
];

/** The files of programs in the user's home folder. */
function listHomeFiles(): readonly (readonly [title: string, path: string])[] {
  const home = homedir();
  const { APPDATA = join(home, 'AppData', 'Roaming'), XDG_CONFIG_HOME = join(home, '.config') } = process.env;
  const settings =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : process.platform === 'win32'
        ? APPDATA
        : XDG_CONFIG_HOME;
  return [
    ['Claude Desktop', join(settings, 'Claude', 'claude_desktop_config.json')],
    ['Claude Code', join(home, '.claude.json')],
    ['Codex', join(process.env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')],
    ['Cursor', join(home, '.cursor', 'mcp.json')],
    ['VS Code', join(settings, 'Code', 'User', 'mcp.json')],
    ['Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    ['Gemini CLI', join(home, '.gemini', 'settings.json')],
  ];
}

/** Reads the files of other programs that exist, when the user asks for them. Nothing is started or sent. */
export async function readImports(
  folders: readonly WorkspaceFolder[],
  read: (text: string) => PastedDrafts,
): Promise<readonly AgentImport[]> {
  const files = [
    ...folders.flatMap(({ uri }) =>
      FOLDER_FILES.map(([title, path]) => [title, Uri.joinPath(uri, path)] as const),
    ),
    ...listHomeFiles().map(([title, path]) => [title, Uri.file(path)] as const),
  ];
  const imports: AgentImport[] = [];
  for (const [title, uri] of files) {
    const reading = await readConfig(uri);
    if (reading.ok && reading.text === undefined) continue;
    const found = reading.ok
      ? read(reading.text ?? '')
      : { drafts: [], problems: [`The file ${reading.message}.`] };
    imports.push({ title, path: uri.fsPath, found });
  }
  return imports;
}
