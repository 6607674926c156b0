import type { ToolDeclaration } from '../../language/tools.ts';

/** A tool as an agent describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** What it takes, as far as the agent says. */
  readonly declaration: ToolDeclaration | undefined;
  /** The JSON Schema of its arguments as JSON text; undefined where the agent gives none. */
  readonly schema: string | undefined;
}
