export {
  type Compilation,
  type FindingsByPath,
  type FixableFinding,
  type FixableProgram,
  type FixedProgram,
  type Fixing,
  fixProgram,
  type Patch,
  type ToCompile,
} from './fix-program.ts'
export {
  applyEdits,
  chooseCompilerVersion,
  type Edit,
  type Fix,
  type FixHints,
  type FixSafety,
  fixableDetectors,
  proposeFixes,
} from './propose-fixes.ts'
export { unifiedDiff } from './unified-diff.ts'
