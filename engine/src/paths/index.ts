// The third door: what a file is to its project, by path and by content. Nothing behind it analyzes.
export { findDependencies } from './dependency-paths.ts'
export { digestOf, isKnownSource, type Sha256, withoutCopies } from './known-source.ts'
export { isForTests, type TestRole, testRoleOf, testRoleOfFolder, testRoleOfName } from './test-paths.ts'
export { isTestTool } from './test-tools.ts'
