import { expect, test } from 'vitest'
import { fileStates, stateWords } from './file-states.ts'

const words = (sources: Record<string, string>): string[] =>
  fileStates(Object.entries(sources).map(([path, text]) => ({ path, text }))).map(stateWords)

test('imports are looked for beside the file that names them', () => {
  expect(
    words({
      'src/Bank.sol': 'contract Bank {}',
      'src/branches/Branch.sol': 'import {Bank as B} from "../Bank.sol"; contract Branch is B {}',
      'test/Lost.sol': 'import "./Bank.sol"; contract Lost {}',
    }),
  ).toEqual(['Ready', 'Ready', 'Missing import: ./Bank.sol'])
})

test('a library is not missed, and a path from the root is found', () => {
  expect(
    words({ 'A.sol': 'import "@openzeppelin/contracts/token/ERC20.sol"; import "lib/B.sol";', 'lib/B.sol': 'x' }),
  ).toEqual(['Ready', 'Ready'])
})

test('what a comment names is not imported, and nothing is reported as empty', () => {
  expect(words({ 'A.sol': '// import "./B.sol";\n/* import "./C.sol"; */ contract A {}', 'E.sol': ' \n' })).toEqual([
    'Ready',
    'Empty',
  ])
})
