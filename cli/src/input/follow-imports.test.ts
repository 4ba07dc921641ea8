import { describe, expect, test } from 'vitest'
import { importsOf } from './follow-imports.ts'

describe('paths of import directives', () => {
  test.each([
    ['import "a.sol";', ['a.sol']],
    ['import {A, B as C} from \'b.sol\'; import * as D from "c.sol";', ['b.sol', 'c.sol']],
    ['import {\n  A\n}\nfrom\n"d.sol"\n;', ['d.sol']],
    ['// import "no.sol";\n/* import "no.sol"; */ string constant x = "import \'no.sol\'";', []],
    ['string constant important = "x"; string s = "// "; import "e.sol";', ['e.sol']],
  ])('%j', (text, expected) => {
    expect(importsOf(text)).toEqual(expected)
  })

  test('a hostile text takes linear time', () => {
    for (const part of ['import ', 'import a ', '/* ', '"\\', "'\\", 'import "\\'])
      expect(importsOf(`import ${part.repeat(200_000)}`)).toBeInstanceOf(Array)
  })
})
