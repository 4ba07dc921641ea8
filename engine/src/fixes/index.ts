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
