import type { ToolDeclaration } from '../../language/tools.ts';

/** A tool as an agent describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  /** Its arguments, as far as the agent describes them. */
  readonly declaration: ToolDeclaration | undefined;
  /** The JSON Schema of its arguments as JSON text; undefined if the agent has none. */
  readonly schema: string | undefined;
}
