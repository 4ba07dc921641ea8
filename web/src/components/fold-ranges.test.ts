import { expect, test } from 'vitest'
import { foldRanges, membersToFold, visibleLines, withoutFoldsOver } from './fold-ranges.ts'
import { commentStates } from './highlight.ts'

const source = `contract Vault {
    string open = "{";
    // {
    /* {
       { */
    struct Claim { uint256 amount; }
    function pay() external {
        if (true) {
            pay();
        }
    }
    function keep()
        external
    {
        pay();
    }
}`.split('\n')
const ranges = foldRanges(source, commentStates(source))

test('a brace that closes on a later line can be folded; those in comments and strings count for nothing', () => {
  expect([...ranges.values()].sort((a, b) => a.start - b.start)).toEqual([
    { start: 1, end: 17, depth: 0 },
    { start: 7, end: 11, depth: 1 },
    { start: 8, end: 10, depth: 2 },
    { start: 14, end: 16, depth: 1 },
  ])
})

test('closed ranges hide their lines, one in another too', () => {
  expect(visibleLines(17, ranges, new Set([7, 8]))).toEqual([1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17])
  expect(visibleLines(17, ranges, new Set([1]))).toEqual([1])
})

test('all members are folded but the one that is being read', () => {
  expect(membersToFold(ranges, 9)).toEqual(new Set([14]))
  expect(membersToFold(ranges, undefined)).toEqual(new Set([7, 14]))
})

test('a line that is asked for is opened, and nothing else', () => {
  const folded = new Set([7, 14])
  expect(withoutFoldsOver(folded, ranges, 9)).toEqual(new Set([14]))
  expect(withoutFoldsOver(folded, ranges, 7)).toBe(folded)
})

test('unbalanced braces do no harm', () => {
  const broken = ['}', 'contract A {', '}', '}', '{']
  expect([...foldRanges(broken, commentStates(broken)).keys()]).toEqual([])
})
