/** Best practices: what a file does and lacks by the facts about its code, never by its names. */
export { type Advice, Adviser, type Concern, type Judged } from './adviser.ts'
export type { Practice, Subject } from './practice.ts'
export { practices } from './practices/index.ts'
