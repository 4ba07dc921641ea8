import { expect, test } from 'vitest'
import { readMarks, toExample } from './fixture-marks.ts'

test('each kind of mark is read with its line', () => {
  const text = [
    'a; // expect: reentrancy(low) locked-ether',
    'b; // safe: reentrancy/tested-again  read anew, and/or tested',
    'c; // safe: nothing is at stake',
    'd; // miss: reentrancy the callee is not known',
    'e; // expect: hardcoded-gas // safe: reentrancy/stipend 2300 gas',
  ].join('\n')
  expect(readMarks(text)).toEqual({
    expected: ['1 reentrancy', '1 locked-ether', '5 hardcoded-gas'],
    confident: ['1 reentrancy low'],
    excused: ['2 reentrancy/tested-again', '5 reentrancy/stipend'],
    missed: ['4 reentrancy'],
  })
})

test.each([
  '// expect: Reentrancy!',
  '// expect: reentrancy(sure)',
  '// miss: reentrancy',
  '// saef: typed too fast',
  '// expects: reentrancy',
])('%s is a mistake', (line) => {
  expect(() => readMarks(line)).toThrow('line 1')
})

test('an example shows the marks of one detector as words', () => {
  const text = 'a; // expect: b(low) c // safe: d/e  why\nf; // expect: g\nh; // miss: b too hard\n'
  expect(toExample(text, 'b')).toBe('a; // ← reported here // not reported: why\nf;\nh; // missed: too hard')
})
