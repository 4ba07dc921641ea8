export { compareStorage, type StorageChange } from './compare-storage.ts'
export type { BlockOutline, CallEdge, Dependency } from './flow-reader.ts'
export { type ContractOutline, type FunctionOutline, type Outline, outline } from './outline.ts'
export type { StorageEntry } from './storage-layout.ts'
