export { applyEdits, type Edit, type Fix, type FixHints, fixableDetectors, proposeFixes } from './propose-fixes.ts'
