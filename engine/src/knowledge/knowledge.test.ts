/** Each entry of each description is put into a small contract that misuses it, and into one that does not: only the first is reported. */
import { describe, expect, test } from 'vitest'
import { scan } from '../index.ts'
import { type Declared, type Description, type Parameter, readDeclaration, signatureOf } from './description.ts'
import { descriptions } from './index.ts'

const isReference = (type: string, structs: Description['structs']): boolean =>
  /\[|^bytes$|^string$/.test(type) || structs?.[type] !== undefined

const placed = ({ type, name }: Parameter, structs: Description['structs'], place: string): string =>
  `${type}${isReference(type, structs) ? ` ${place}` : ''} ${name}`

const listed = (list: readonly Parameter[], structs: Description['structs'], place: string): string =>
  list.map((part) => placed(part, structs, place)).join(', ')

const structsOf = ({ structs = {} }: Description): string =>
  Object.entries(structs)
    .map(([name, fields]) => `struct ${name} { ${fields.replaceAll(',', ';')}; }`)
    .join('\n')

const outside = (protocol: Description, { name, params, results }: Declared, isView: boolean): string => `
${structsOf(protocol)}
interface IOutside {
  function ${name}(${listed(params, protocol.structs, 'calldata')}) external${isView ? ' view' : ' payable'}${
    results.length === 0 ? '' : ` returns (${listed(results, protocol.structs, 'memory')})`
  };
}
interface IToken { function transfer(address to, uint256 amount) external returns (bool); function approve(address spender, uint256 amount) external returns (bool); }
`

/** An argument that no detector takes offence at. */
const harmless = (type: string, structs: Description['structs'], fields: (name: string) => string): string => {
  const struct = structs?.[type]
  if (struct !== undefined)
    return `${type}(${struct
      .split(', ')
      .map((field) => fields(field.split(' ')[1]!) || harmless(field.split(' ')[0]!, structs, fields))
      .join(', ')})`
  const fixed = /^(\w+)\[(\d+)\]$/.exec(type)
  if (fixed !== null) return '[amount, amount]'
  if (type.endsWith('[]')) return `new ${type}(2)`
  if (type === 'address') return 'msg.sender'
  if (type === 'bytes') return '""'
  if (type === 'bool') return 'true'
  return type === 'uint256' ? 'amount' : `${type}(${/^bytes\d/.test(type) ? 'salt' : 1})`
}

const idsIn = (source: string): string[] => {
  const report = scan(`pragma solidity 0.8.28;\n${source}`)
  expect(report.parseErrors, source).toEqual([])
  return [...report.findings, ...report.advisories].map(({ detector }) => detector)
}

const each = <Entry extends { readonly declaration: string }>(
  entriesOf: (description: Description) => readonly Entry[] | undefined,
): [name: string, entry: Entry, protocol: Description, declared: Declared][] =>
  descriptions.flatMap((protocol) =>
    (entriesOf(protocol) ?? []).map((entry): [string, Entry, Description, Declared] => {
      const declared = readDeclaration(entry.declaration)
      return [`${protocol.name}: ${signatureOf(declared, protocol.structs)}`, entry, protocol, declared]
    }),
  )

const none = (): string => ''

describe('readings', () => {
  const numberOf = ({ type }: Parameter, name: string): string => {
    if (name.includes('.')) return `uint256(int256(${name}))`
    if (type.endsWith('[]')) return `${name}[1]`
    return type.startsWith('int') ? `uint256(int256(${name}))` : `uint256(${name})`
  }
  const contractWith = (protocol: Description, declared: Declared, value: string, before = ''): string => {
    const args = declared.params.map(({ type }) => harmless(type, protocol.structs, none)).join(', ')
    const result = declared.results.find(({ name }) => name === value.split('.')[0])!
    const used = declared.results.map((part) => (part === result ? placed(part, protocol.structs, 'memory') : ''))
    return `${outside(protocol, declared, true)}
contract Market {
  IOutside immutable pool;
  IToken immutable token;
  bytes32 salt;
  mapping(address => uint256) public collateral;
  constructor(IOutside pool_, IToken token_) { pool = pool_; token = token_; }
  function deposit() external payable { collateral[msg.sender] += msg.value; }
  function buy(uint256 amount) external {
    collateral[msg.sender] -= amount;
    ${before}
    (${used.join(', ')}) = pool.${declared.name}(${args});
    token.transfer(msg.sender, amount * ${numberOf(result, value)} / 1e18);
  }
}`
  }
  const detectorFor = { trade: 'price-oracle-manipulation', report: 'stale-oracle-price', exit: 'read-only-reentrancy' }

  test.each(each(({ readings }) => readings))('%s', (_name, { values, movedBy }, protocol, declared) => {
    expect(values.filter((value) => !declared.results.some(({ name }) => name === value.split('.')[0]))).toEqual([])
    for (const value of values.filter((value) => value !== 'tokens'))
      expect(idsIn(contractWith(protocol, declared, value)), value).toContain(detectorFor[movedBy])
    const renamed = { ...declared, name: `${declared.name}OfVault` }
    expect(idsIn(contractWith(protocol, renamed, values.at(-1)!))).not.toContain(detectorFor[movedBy])
  })
})

describe('trades', () => {
  const contractWith = (protocol: Description, declared: Declared, argument: (name: string) => string): string => {
    const isStruct = declared.params.length === 1 && protocol.structs?.[declared.params[0]!.type] !== undefined
    const args = declared.params.map(
      ({ type, name }) =>
        (isStruct ? '' : argument(name)) ||
        harmless(type, protocol.structs, isStruct ? (field) => argument(`params.${field}`) : none),
    )
    return `${outside(protocol, declared, false)}
contract Trader {
  IOutside immutable router;
  bytes32 salt;
  constructor(IOutside router_) { router = router_; }
  function trade(uint256 amount, uint256 least, uint256 until, int256[] calldata limits) external payable {
    router.${declared.name}(${args.join(', ')});
  }
}`
  }
  test.each(each(({ trades }) => trades))('%s', (_name, trade, protocol, declared) => {
    const { least = [], deadline } = trade
    const isLimited = (name: string): string => (least.includes(name) ? 'least' : name === deadline ? 'until' : '')
    const careful = idsIn(contractWith(protocol, declared, isLimited))
    const careless = idsIn(
      contractWith(protocol, declared, (name) =>
        least.includes(name) ? '0' : name === deadline ? 'block.timestamp' : '',
      ),
    )
    const expected = [
      ...(least.length > 0 ? [/missing-slippage-protection|sandwiched-trade/] : []),
      ...(deadline === undefined ? [] : [/missing-deadline/]),
    ]
    for (const id of expected) {
      expect(
        careless.filter((found) => id.test(found)),
        `${careless}`,
      ).not.toEqual([])
      expect(careful.filter((found) => id.test(found))).toEqual([])
    }
  })
})

describe('callbacks', () => {
  const contractWith = (protocol: Description, { name, params }: Declared, check: string): string => `
${structsOf(protocol)}
interface IToken { function approve(address spender, uint256 amount) external returns (bool); }
contract Receiver {
  IToken immutable token;
  address immutable partner;
  address immutable spender;
  constructor(IToken token_, address partner_, address spender_) { token = token_; partner = partner_; spender = spender_; }
  function ${name}(${listed(params, protocol.structs, 'calldata')}) external {
    ${check}
    token.approve(spender, 1e18);
  }
}`
  test.each(each(({ callbacks }) => callbacks))('%s', (_name, { initiator }, protocol, declared) => {
    expect(declared.params.map(({ name }) => name)).toEqual(
      expect.arrayContaining(initiator === undefined ? [] : [initiator]),
    )
    expect(idsIn(contractWith(protocol, declared, ''))).toContain('unauthenticated-callback')
    const check = 'require(msg.sender == partner, "partner");'
    expect(idsIn(contractWith(protocol, declared, check))).not.toContain('unauthenticated-callback')
  })
})

describe('notifications', () => {
  const contractWith = (protocol: Description, declared: Declared, isLate: boolean): string => {
    const args = declared.params.map(({ type }) => harmless(type, protocol.structs, none)).join(', ')
    const update = 'balances[msg.sender] = 0;'
    return `${outside(protocol, declared, false)}
contract Store {
  IOutside immutable token;
  mapping(address => uint256) public balances;
  constructor(IOutside token_) { token = token_; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function take() external {
    uint256 amount = balances[msg.sender];
    require(amount > 0);
    ${isLate ? '' : update}
    token.${declared.name}(${args});
    ${isLate ? update : ''}
  }
}`
  }
  test.each(each(({ notifications }) => notifications))('%s', (_name, { receiver }, protocol, declared) => {
    expect(declared.params.map(({ name }) => name)).toContain(receiver)
    const isReentrancy = (id: string): boolean => /reentrancy/.test(id)
    expect(idsIn(contractWith(protocol, declared, true)).filter(isReentrancy)).not.toEqual([])
    expect(idsIn(contractWith(protocol, declared, false)).filter(isReentrancy)).toEqual([])
  })
})

describe('permits', () => {
  const contractWith = (protocol: Description, declared: Declared, owner: string, isTried: boolean): string => {
    const args = declared.params.map(({ name }) => name)
    const call = `token.${declared.name}(${args.join(', ')})`
    return `${outside(protocol, declared, false)}
interface IPulled { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Vault {
  IOutside immutable token;
  IPulled immutable pulled;
  mapping(address => uint256) public balances;
  constructor(IOutside token_, IPulled pulled_) { token = token_; pulled = pulled_; }
  function deposit(uint256 amount, ${listed(declared.params, protocol.structs, 'calldata')}) external {
    require(${owner} == msg.sender);
    ${isTried ? `try ${call} {} catch {}` : `${call};`}
    balances[${owner}] += amount;
    require(pulled.transferFrom(${owner}, address(this), amount));
  }
}`
  }
  test.each(each(({ permits }) => permits))('%s', (_name, { owner }, protocol, declared) => {
    expect(declared.params.map(({ name }) => name)).toContain(owner)
    expect(idsIn(contractWith(protocol, declared, owner, false))).toContain('forestalled-permit')
    expect(idsIn(contractWith(protocol, declared, owner, true))).not.toContain('forestalled-permit')
  })
})

describe('calls that move tokens of others', () => {
  const contractWith = (protocol: Description, declared: Declared, from: string): string => {
    const args = declared.params.map(({ name }) => (name === 'from' ? from : name))
    return `${outside(protocol, declared, false)}
contract Puller {
  IOutside immutable permitted;
  constructor(IOutside permitted_) { permitted = permitted_; }
  function pull(${listed(declared.params, protocol.structs, 'calldata')}) external {
    permitted.${declared.name}(${args.join(', ')});
  }
}`
  }
  const moving = each(({ tokenCalls }) => tokenCalls?.filter(({ does }) => does === 'transferFrom'))
  test.each(moving)('%s', (_name, _entry, protocol, declared) => {
    expect(idsIn(contractWith(protocol, declared, 'from'))).toContain('arbitrary-transfer-from')
    expect(idsIn(contractWith(protocol, declared, 'msg.sender'))).not.toContain('arbitrary-transfer-from')
  })
})

test('no two descriptions say different things of the same call', () => {
  const keys = [({ readings }: Description) => readings, ({ trades }: Description) => trades].flatMap((entriesOf) =>
    each<{ declaration: string }>(entriesOf).map(([, , , { name, params }]) => `${name}/${params.length}`),
  )
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  const signatures = each(({ callbacks }) => callbacks).map(([, , protocol, declared]) =>
    signatureOf(declared, protocol.structs),
  )
  expect(signatures.filter((signature, index) => signatures.indexOf(signature) !== index)).toEqual([])
})
