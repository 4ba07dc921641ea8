import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { childrenOf, collect, type Expression, type Node, nodesOf, parse, type Statement, walk } from './index.ts'

const clean = (text: string) => {
  const { unit, errors } = parse(text)
  expect(errors, text).toEqual([])
  return unit
}

const memberOf = (text: string) => {
  const [contract] = collect(clean(`contract C { ${text} }`), 'ContractDefinition')
  return contract!.members[0]!
}

const statements = (text: string): readonly Statement[] => {
  const [fn] = collect(clean(`contract C { function f() public { ${text} } }`), 'FunctionDefinition')
  return fn!.body!.statements
}

const statement = (text: string): Statement => statements(text)[0]!

const expression = (text: string): Expression => {
  const found = statement(`${text};`)
  expect(found.kind, text).toBe('ExpressionStatement')
  return (found as Extract<Statement, { kind: 'ExpressionStatement' }>).expression
}

/** A tree as nested kinds, for shapes that matter. */
const shape = (node: Node): string => {
  const inner = childrenOf(node).map(shape).join(' ')
  const label =
    'name' in node && typeof node.name === 'string' ? node.name : 'operator' in node ? node.operator : node.kind
  return inner === '' ? `${label}` : `(${label} ${inner})`
}

const errorsOf = (text: string): string[] => parse(text).errors.map(({ message }) => message)

test('words of newer versions are names where older versions allow them', () => {
  const words = (
    'abstract as at calldata constructor emit error fallback from global immutable layout leave let override ' +
    'receive revert switch transient unchecked virtual gwei case default'
  ).split(' ')
  for (const word of words) {
    const unit = clean(
      `contract C { uint ${word}; struct S { uint ${word}; } function ${word}(uint ${word}) public returns (uint) {
         uint ${word} = 1; ${word} += 2; ${word}.go(); x.${word}(${word}[0]); return ${word}; } }`,
    )
    const names = collect(unit, 'Identifier').filter(({ name }) => name === word)
    expect(names.length, word).toBe(10)
  }
})

test('assignment and conditional group to the right', () => {
  expect(shape(expression('a = b = c'))).toBe('(= a (= b c))')
  expect(shape(expression('x = y ? 1 : z = 2'))).toBe('(= x (Conditional y Literal (= z Literal)))')
})

test('operators bind as in the compiler', () => {
  expect(shape(expression('a + b * c ** d ** e - f'))).toBe('(- (+ a (* b (** c (** d e)))) f)')
  expect(shape(expression('a || b && c == d < e | f ^ g & h << i'))).toBe(
    '(|| a (&& b (== c (< d (| e (^ f (& g (<< h i))))))))',
  )
  expect(shape(expression('-a ** 2'))).toBe('(** (- a) Literal)')
  expect(shape(expression('a >>> 2'))).toBe('(>>> a Literal)')
  expect(shape(expression('i-- - --i'))).toBe('(- (-- i) (-- i))')
})

test('declaration or expression is decided without guessing', () => {
  const kinds = (text: string) => statement(text).kind
  expect(kinds('A x;')).toBe('VariableStatement')
  expect(kinds('A.B[3][] storage x = y;')).toBe('VariableStatement')
  expect(kinds('A[] memory x;')).toBe('VariableStatement')
  expect(kinds('a[3] = 4;')).toBe('ExpressionStatement')
  expect(kinds('a.b[3].c();')).toBe('ExpressionStatement')
  expect(kinds('uint[] memory x = new uint[](3);')).toBe('VariableStatement')
  expect(kinds('address payable a = b;')).toBe('VariableStatement')
  expect(kinds('address(a).transfer(1);')).toBe('ExpressionStatement')
  expect(kinds('bytes.concat(a, b);')).toBe('ExpressionStatement')
  expect(kinds('(uint a, , B memory b) = f();')).toBe('VariableStatement')
  expect(kinds('(, A.B[] memory b) = f();')).toBe('VariableStatement')
  expect(kinds('(mapping(uint => uint) storage m, uint k) = f();')).toBe('VariableStatement')
  expect(kinds('(a, b) = f();')).toBe('ExpressionStatement')
  expect(kinds('(a ? b : c).d();')).toBe('ExpressionStatement')
  expect(kinds('function (uint) external returns (bool) g = h;')).toBe('VariableStatement')
  expect(kinds('var (a, , b) = f();')).toBe('VariableStatement')
  expect(kinds('var x = 1;')).toBe('VariableStatement')
  expect(kinds('uint calldata = 1;')).toBe('VariableStatement')
  expect(kinds('bytes calldata d = e;')).toBe('VariableStatement')
})

test('tuple declarations keep their gaps', () => {
  const found = statement('(uint a, , B memory b) = f();') as Extract<Statement, { kind: 'VariableStatement' }>
  expect(found.tuple).toBe(true)
  expect(found.declarations.map((declared) => declared?.name?.name ?? null)).toEqual(['a', null, 'b'])
  const old = statement('var (a, , b) = f();') as Extract<Statement, { kind: 'VariableStatement' }>
  expect(old.declarations.map((declared) => declared?.name?.name ?? null)).toEqual(['a', null, 'b'])
  expect(expression('(a, , b) = f()').kind).toBe('Assignment')
})

test('call options, chained options, named arguments and slices', () => {
  expect(shape(expression('a.b{value: 1, gas: g}(c)'))).toBe(
    '(Call (CallOptions (Member a b) value Literal gas g) (CallArguments c))',
  )
  expect(shape(expression('a.call.value(1).gas(2)("")'))).toBe(
    '(Call (Call (Member (Call (Member (Member a call) value) (CallArguments Literal)) gas) (CallArguments Literal)) (CallArguments Literal))',
  )
  expect(shape(expression('f({a: 1, b: x})'))).toBe('(Call f (CallArguments a Literal b x))')
  expect(shape(expression('d[4:]'))).toBe('(Slice d Literal)')
  expect(shape(expression('d[:n]'))).toBe('(Slice d n)')
  expect(shape(expression('new A{salt: s}(1)'))).toBe(
    '(Call (CallOptions (NewExpression (UserType (Path A))) salt s) (CallArguments Literal))',
  )
})

test('types stand where expressions do', () => {
  expect(shape(expression('type(uint).max'))).toBe('(Member (Call type (CallArguments (TypeExpression uint))) max)')
  expect(shape(expression('abi.decode(d, (uint, A[], address payable))'))).toBe(
    '(Call (Member abi decode) (CallArguments d (Tuple (TypeExpression uint) (Index A) (TypeExpression address))))',
  )
  expect(shape(expression('payable(a).send(1)'))).toBe(
    '(Call (Member (Call (TypeExpression address) (CallArguments a)) send) (CallArguments Literal))',
  )
})

test('literals: numbers as written, strings decoded and joined', () => {
  const literal = (text: string) => {
    const found = expression(text)
    if (found.kind !== 'Literal') throw new Error(found.kind)
    return [found.literalKind, found.value, found.unit]
  }
  expect(literal('1_000e18')).toEqual(['number', '1_000e18', null])
  expect(literal('.5 ether')).toEqual(['number', '.5', 'ether'])
  expect(literal('2.5e-3')).toEqual(['number', '2.5e-3', null])
  expect(literal('3 years')).toEqual(['number', '3', 'years'])
  expect(literal('0xFF_ff')).toEqual(['hexNumber', '0xFF_ff', null])
  expect(literal('"a" \'b\' "\\x41\\u0042\\n\\""')).toEqual(['string', 'abAB\n"', null])
  expect(literal('hex\'de_ad\' hex"be"')).toEqual(['hexString', 'deadbe', null])
  expect(literal('unicode"→😃"')).toEqual(['unicodeString', '→😃', null])
  expect(literal('true')).toEqual(['bool', 'true', null])
})

test('functions of every kind', () => {
  const kindOf = (text: string) => {
    const found = memberOf(text)
    return found.kind === 'FunctionDefinition' ? found.functionKind : found.kind
  }
  expect(kindOf('constructor() A(1) public {}')).toBe('constructor')
  expect(kindOf('function constructor() public {}')).toBe('function')
  expect(kindOf('function () payable {}')).toBe('unnamed')
  expect(kindOf('function () external;')).toBe('unnamed')
  expect(kindOf('fallback() external {}')).toBe('fallback')
  expect(kindOf('function fallback() public {}')).toBe('function')
  expect(kindOf('receive() external payable {}')).toBe('receive')
  expect(kindOf('function () internal returns (uint) f;')).toBe('StateVariable')
  expect(kindOf('function (uint) internal f = g;')).toBe('StateVariable')
  expect(kindOf('function () external[] f;')).toBe('StateVariable')
  expect(
    collect(clean('function g(uint a) pure returns (uint) { return a; }'), 'FunctionDefinition')[0]!.functionKind,
  ).toBe('free')
})

test('a function head in any order', () => {
  const found = memberOf('function f(uint a) external view m(a) virtual n override(A, B.C) returns (uint) { }')
  expect(found).toMatchObject({ visibility: 'external', mutability: 'view', virtual: true })
  if (found.kind !== 'FunctionDefinition') throw new Error(found.kind)
  expect(found.modifiers.map(({ name }) => name.names[0]!.name)).toEqual(['m', 'n'])
  expect(found.override!.bases.length).toBe(2)
  expect(found.returns.length).toBe(1)
  expect(memberOf('function f() constant returns (uint);')).toMatchObject({
    mutability: 'constant',
    visibility: null,
    body: null,
  })
})

test('state variables with every attribute', () => {
  expect(memberOf('uint256 public constant override X = 1;')).toMatchObject({ visibility: 'public', constant: true })
  expect(memberOf('uint transient t;')).toMatchObject({ transient: true, visibility: null })
  expect(memberOf('uint transient;')).toMatchObject({ transient: false, name: { name: 'transient' } })
  expect(memberOf('address immutable private a;')).toMatchObject({ immutable: true, visibility: 'private' })
  expect(memberOf('mapping(address owner => mapping(uint => A) inner) public m;')).toMatchObject({
    type: { kind: 'MappingType', keyName: { name: 'owner' }, valueName: { name: 'inner' } },
  })
  expect(memberOf('ufixed128x18 price;')).toMatchObject({ type: { kind: 'ElementaryType', name: 'ufixed128x18' } })
})

test('file level: directives, types, operators', () => {
  const unit = clean(`
    pragma solidity >=0.4.22<0.9.0 ;
    import "a"; import "b" as B; import * as C from "c"; import {d as e, f} from "d";
    type Price is uint128;
    using {add as +, L.sub as -, neg} for Price global;
    using L for *;
    error Bad(uint code);
    event Seen(address indexed who) anonymous;
    struct S { uint a; }
    enum E { A, B }
    uint constant X = 1;
    abstract contract K {}
    contract P layout at 0x10 is K, M.N(1, 2) {}
  `)
  expect(unit.members.map(({ kind }) => kind)).toEqual([
    'PragmaDirective',
    ...['ImportDirective', 'ImportDirective', 'ImportDirective', 'ImportDirective'],
    ...['UserTypeDefinition', 'UsingDirective', 'UsingDirective', 'ErrorDefinition', 'EventDefinition'],
    ...['StructDefinition', 'EnumDefinition', 'StateVariable', 'ContractDefinition', 'ContractDefinition'],
  ])
  expect(unit.members[0]).toMatchObject({ name: 'solidity', value: '>=0.4.22<0.9.0' })
  expect(unit.members[4]).toMatchObject({ path: 'd', symbols: [{ alias: { name: 'e' } }, { alias: null }] })
  expect(collect(unit, 'UsingDirective')[0]).toMatchObject({
    braces: true,
    global: true,
    functions: [{ operator: '+' }, { operator: '-' }, { operator: null }],
  })
  expect(unit.members.at(-1)).toMatchObject({ layout: { kind: 'Literal' }, bases: [{ args: null }, { args: {} }] })
})

test('statements of every version', () => {
  const kinds = (text: string) => statements(text).map(({ kind }) => kind)
  expect(kinds('throw; _; _ ; emit E(1); emit(1); revert E(); revert(); revert("x");')).toEqual([
    'ThrowStatement',
    ...['PlaceholderStatement', 'PlaceholderStatement', 'EmitStatement', 'ExpressionStatement'],
    ...['RevertStatement', 'ExpressionStatement', 'ExpressionStatement'],
  ])
  expect(kinds('require(a, Err(1)); unchecked { a++; } do a; while (b); for (;;) {} { }')).toEqual([
    'ExpressionStatement',
    'Block',
    'DoWhileStatement',
    'ForStatement',
    'Block',
  ])
  const [attempt] = statements(
    'try a.b{value: 1}() returns (uint c) {} catch Error(string memory) {} catch (bytes memory e) {} catch {}',
  )
  expect(attempt).toMatchObject({
    kind: 'TryStatement',
    returns: [{}],
    catches: [{ name: { name: 'Error' } }, { name: null }, {}],
  })
  expect(statement('unchecked { }')).toMatchObject({ unchecked: true })
})

test('assembly of today', () => {
  const [found] = statements(`assembly "evmasm" ("memory-safe", "x") {
    let a, b := f(1)
    a, b := f(2)
    x.slot := sload(y.offset)
    switch a case 0x1 { } case "s" { } default { leave }
    for { let i := 0 } lt(i, 2) { i := add(i, 1) } { if iszero(i) { break } continue }
    function f(p) -> q, r { q := p r := byte(0, p) }
    return(0, 0)
  }`)
  expect(found).toMatchObject({ dialect: 'evmasm', flags: ['memory-safe', 'x'], legacy: false })
  if (found?.kind !== 'AssemblyStatement') throw new Error()
  expect(found.body.statements.map(({ kind }) => kind)).toEqual([
    ...['YulVariable', 'YulAssignment', 'YulAssignment', 'YulSwitch', 'YulFor', 'YulFunctionDefinition'],
    'YulExpressionStatement',
  ])
})

test('assembly of old: bare instructions, labels, stack assignment', () => {
  const [found] = statements('assembly { 1 dup1 mul =: x again: jumpi(again, gt(x, 1)) }')
  if (found?.kind !== 'AssemblyStatement') throw new Error()
  expect(found.legacy).toBe(true)
  expect(found.body.statements.map(({ kind }) => kind)).toEqual([
    ...['YulExpressionStatement', 'YulExpressionStatement', 'YulExpressionStatement', 'YulStackAssignment', 'YulLabel'],
    'YulExpressionStatement',
  ])
})

test('an operand-free instruction without parentheses is a call, and no sign of stack style', () => {
  const [found] = statements('assembly { let ok := call(gas, caller, callvalue, 0, 0, 0, 0) }')
  expect(found).toMatchObject({ legacy: false })
  expect(collect(found!, 'YulCall').map(({ name }) => name.name)).toEqual(['call', 'gas', 'caller', 'callvalue'])
})

test('comments are listed with their kind and place', () => {
  const text = '// one\ncontract C { /* two */ string s = "// no"; /// three\n}'
  expect(parse(text, 10).comments.map(({ kind, start, end }) => [kind, text.slice(start - 10, end - 10)])).toEqual([
    ['line', '// one'],
    ['block', '/* two */'],
    ['line', '/// three'],
  ])
})

test('the base offset moves every position', () => {
  const text = 'contract C { function f() public { g(1 +); } }'
  const plain = parse(text)
  const moved = parse(text, 1000)
  const spans = (root: Node): number[] => {
    const found: number[] = []
    const stack = [root]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      found.push(node.start, node.end)
      stack.push(...childrenOf(node))
    }
    return found
  }
  expect(spans(moved.unit)).toEqual(spans(plain.unit).map((position) => position + 1000))
  expect(moved.errors[0]!.start).toBe(plain.errors[0]!.start + 1000)
})

test('a broken statement costs only itself', () => {
  const { unit, errors } = parse('contract C { function f() public { a = ; b = 2; if (c { d(); } return e } uint g; }')
  expect(errors.map(({ message }) => message)).toEqual([
    'Expected an expression but found `;`.',
    'Expected `)` but found `{`.',
    'Expected `;` but found `}`.',
  ])
  expect(collect(unit, 'Assignment').length).toBe(2)
  expect(collect(unit, 'ReturnStatement').length).toBe(1)
  expect(collect(unit, 'StateVariable').length).toBe(1)
})

test('a broken member costs only itself', () => {
  const { unit } = parse('contract C { uint 1x; function f( public { } !!! ; event E(uint a); modifier m { _; } }')
  expect(collect(unit, 'EventDefinition').length).toBe(1)
  expect(collect(unit, 'ModifierDefinition').length).toBe(1)
  expect(collect(unit, 'ErrorMember').length).toBeGreaterThan(0)
})

test('a missing brace does not swallow the members and contracts that follow', () => {
  const { unit } = parse(
    'contract C { function f() public { if (a) { b(); } function g() public {} } contract D { uint x; }',
  )
  expect(collect(unit, 'FunctionDefinition').map(({ name }) => name?.name)).toEqual(['f', 'g'])
  expect(collect(unit, 'ContractDefinition').map(({ name }) => name.name)).toEqual(['C', 'D'])
})

test('garbage between contracts is covered by one error node', () => {
  const { unit } = parse('contract C {} this is not code. contract D {}')
  expect(unit.members.map(({ kind }) => kind)).toEqual([
    'ContractDefinition',
    'StateVariable',
    'ErrorMember',
    'ContractDefinition',
  ])
})

test('messages name what was expected and what was found', () => {
  expect(errorsOf('contract C { uint x }')).toEqual(['Expected `;` but found `}`.'])
  expect(errorsOf('contract C {')).toEqual(['Expected `}` but found the end of the file.'])
  expect(errorsOf('contract C { string s = "x; }')).toContain('This string is never closed.')
  expect(errorsOf('/* x')).toEqual(['This comment is never closed.'])
})

test('nodes noted while parsing are exactly those of the tree', () => {
  const folder = join(import.meta.dirname, 'samples')
  const extra = 'contract C { function f() public { A.B[x.y().z] memory a; (A.B b, C.D[] memory c) = g(); A.B.c(); } }'
  const texts = [...readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')), extra]
  for (const text of texts) {
    const unit = clean(text)
    const walked = new Map<string, Set<Node>>()
    walk(unit, (node) => {
      walked.set(node.kind, (walked.get(node.kind) ?? new Set()).add(node))
    })
    for (const kind of [
      ...(['Call', 'Member', 'Assignment', 'VariableStatement', 'ExpressionStatement', 'ThrowStatement'] as const),
      ...(['AssemblyStatement', 'FunctionType', 'YulCall', 'YulAssignment', 'YulExpressionStatement'] as const),
      ...(['IfStatement', 'Identifier', 'Binary'] as const),
    ])
      expect(new Set<Node>(nodesOf(unit, kind)), kind).toEqual(walked.get(kind) ?? new Set())
  }
})

test('names `now` are noted in the order of the text, members and declarations too', () => {
  const unit = clean('contract C { uint now; function f() public { x = now + y.now; assembly { z := now } } }')
  expect(unit.found!.now).toEqual(collect(unit, 'Identifier').filter(({ name }) => name === 'now'))
  expect(unit.found!.now.length).toBe(4)
})
