import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, assayIn, makeFolder } from '../testing/captured-io.ts'

const vault = `pragma solidity 0.8.28;
import "./Owned.sol";
interface IToken { function transfer(address to, uint256 n) external returns (bool); }
contract Vault is Owned {
    struct Position { uint128 amount; uint64 since; address holder; }
    IToken public token;
    bool public open;
    uint64 a;
    uint256[3] list;
    mapping(address => Position) positions;
    uint8 last;
    uint256 constant LIMIT = 5;
    function deposit(uint128 n) external { Position storage p = positions[msg.sender]; p.amount += n; _count(); }
    function pay(address to) external onlyOwner { token.transfer(to, 1); }
    function close() external { require(msg.sender == owner, "no"); open = false; }
    function size() external view returns (uint256) { return list[0]; }
    function _count() internal { list[0]++; }
}
`
const files = {
  'Vault.sol': vault,
  'Owned.sol': `pragma solidity 0.8.28;
abstract contract Owned {
    address internal owner = msg.sender;
    modifier onlyOwner() { _check(); _; }
    function _check() internal view { if (msg.sender != owner) revert(); }
    function give(address to) external onlyOwner { owner = to; }
}
`,
}
const show = async (...words: string[]) => (await assay(['show', ...words], { files })).out
const rows = (out: string) => out.split('\n').map((line) => line.trim().split(/ {2,}/))

describe('views', () => {
  test('roles: anyone first, then by what the caller must be, with what is written', async () => {
    expect(rows(await show('roles', '--contract', 'Vault'))).toEqual([
      ['Vault: who may call what'],
      ['caller', 'function', 'writes'],
      ['anyone', 'deposit(uint128)', 'list, positions'],
      ['msg.sender == owner', 'close()', 'open'],
      ['onlyOwner', 'pay(address)'],
      ['onlyOwner', 'give(address)', 'owner'],
      [''],
    ])
  })

  test('roles: what a caller must be, also where the code says who is turned away', async () => {
    const source = `pragma solidity 0.8.28;
contract Streams {
    address owner = msg.sender;
    mapping(uint256 => address) senders;
    mapping(address => bool) approved;
    function approve(address who) external { require(msg.sender == owner); approved[who] = true; }
    function close(uint256 id) external {
        if (msg.sender != owner && !approved[msg.sender]) revert();
        delete senders[id];
    }
    function move(uint256 id, address to) external {
        if (!isSender(msg.sender, id)) {
            if (to == address(0)) revert("zero");
            else revert("sender");
        }
        senders[id] = to;
    }
    function pass(uint256 id, address to) external { _pass(id, to, msg.sender); }
    function _pass(uint256 id, address to, address who) internal {
        if (who != address(0)) _demand(who, id);
        senders[id] = to;
    }
    function _demand(address who, uint256 id) internal view {
        if (!isSender(who, id)) {
            if (who == address(0)) revert("zero");
            else revert("sender");
        }
    }
    function isSender(address who, uint256 id) internal view returns (bool) { return senders[id] == who; }
}
`
    const { out } = await assay(['show', 'roles'], { files: { 'Streams.sol': source } })
    expect(rows(out)).toContainEqual(['msg.sender == owner || approved[msg.sender]', 'close(uint256)', 'senders'])
    expect(rows(out)).toContainEqual(['isSender(msg.sender, id)', 'move(uint256,address)', 'senders'])
    expect(rows(out)).toContainEqual(['isSender(who, id)', 'pass(uint256,address)', 'senders'])
  })

  test('roles: a payment by the caller demands nothing of who they are, also in assembly', async () => {
    const source = `pragma solidity 0.8.28;
interface Token { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Safe {
    address owner = msg.sender;
    uint256 held;
    Token token;
    function pay(uint256 amount) external {
        require(msg.sender == owner);
        bytes memory data = abi.encodeCall(token.transferFrom, (msg.sender, address(this), amount));
        address to = address(token);
        assembly {
            let success := call(gas(), to, 0, add(data, 0x20), mload(data), 0, 0x20)
            if iszero(success) { revert(0, 0) }
        }
        held += amount;
    }
}
`
    const { out } = await assay(['show', 'roles'], { files: { 'Safe.sol': source } })
    expect(rows(out)).toContainEqual(['msg.sender == owner', 'pay(uint256)', 'held'])
  })

  test('roles: a question about the origin is one about the caller', async () => {
    const source = `pragma solidity 0.8.28;
contract Safe {
    address owner = msg.sender;
    function sweep(address payable to) external { require(tx.origin == owner); to.transfer(address(this).balance); }
}
`
    const { out } = await assay(['show', 'roles'], { files: { 'Safe.sol': source } })
    expect(rows(out)).toContainEqual(['tx.origin == owner', 'sweep(address)'])
  })

  test('roles: a check that everyone passes, or whose state anyone can set, is no role', async () => {
    const source = `pragma solidity 0.8.28;
contract Loose {
    address owner = msg.sender;
    uint256 fee;
    modifier onlyOwner() { require(msg.sender != address(0)); _; }
    function setFee(uint256 n) external onlyOwner { fee = n; }
    function take() external { owner = msg.sender; }
    function close() external { require(msg.sender == owner); fee = 0; }
}
`
    const { out } = await assay(['show', 'roles'], { files: { 'Loose.sol': source } })
    for (const row of [
      ['setFee(uint256)', 'fee'],
      ['take()', 'owner'],
      ['close()', 'fee'],
    ])
      expect(rows(out)).toContainEqual(['anyone', ...row])
  })

  test('storage: packed, inherited first, constants left out', async () => {
    expect(rows(await show('storage', '--contract', 'Vault'))).toEqual([
      ['Vault: storage'],
      ['slot', 'offset', 'bytes', 'name', 'type', 'declared in'],
      ['0', '0', '20', 'owner', 'address', 'Owned'],
      ['1', '0', '20', 'token', expect.stringContaining('IToken'), 'Vault'],
      ['1', '20', '1', 'open', 'bool', 'Vault'],
      ['1', '21', '8', 'a', 'uint64', 'Vault'],
      ['2', '0', '96', 'list', expect.stringContaining('uint256[3]'), 'Vault'],
      ['5', '0', '32', 'positions', expect.stringContaining('mapping(address'), 'Vault'],
      ['6', '0', '1', 'last', 'uint8', 'Vault'],
      [''],
    ])
  })

  test('entry points with their external calls', async () => {
    expect(await show('entry-points', '--contract', 'Vault')).toMatch(
      /pay\(address\) +\d+ +onlyOwner +onlyOwner +moves token +token\.transfer/,
    )
  })

  test('inheritance as a tree, calls as Mermaid', async () => {
    expect(await show('inheritance')).toContain('  Vault\n    Owned\n')
    const graph = await show('calls', '--contract', 'Vault', '--as', 'mermaid')
    expect(graph).toContain('flowchart LR')
    expect(graph).toContain('["Vault._count"]')
    expect(graph).toMatch(/\(\["token\.transfer"\]\)/)
  })

  test('a picture is well-formed and holds no script; data is JSON', async () => {
    const picture = await show('calls', '--as', 'svg', '--contract', 'Vault')
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/)
    expect(picture).not.toMatch(/<script|NaN|undefined/)
    expect(JSON.parse(await show('roles', '--as', 'json')).views[0].rows.length).toBeGreaterThan(0)
  })

  test('attack surface: one page, what anyone can call first, and of that what moves value', async () => {
    const source = `pragma solidity 0.8.28;
contract Bank {
    mapping(address => uint256) balances; address owner = msg.sender; uint256 fee;
    function setFee(uint256 n) external { require(msg.sender == owner); fee = n; }
    function deposit() external payable { balances[msg.sender] += msg.value - fee; }
    function withdraw(uint256 n) external { balances[msg.sender] -= n; payable(msg.sender).transfer(n); }
    function run(address to, bytes calldata d) external { to.delegatecall(d); }
    function size() external view returns (uint256) { return fee; }
}
`
    const { out } = await assay(['show', 'attack-surface'], { files: { 'Bank.sol': source } })
    expect(rows(out)).toEqual([
      [
        'Attack surface: 4 entry points that change something, 3 open to anyone, 2 of those move value or run other code',
      ],
      ['caller', 'function', 'line', 'value at risk', 'writes'],
      ['anyone', 'Bank.withdraw(uint256)', '6', 'sends ETH to the caller', 'balances'],
      ['anyone', 'Bank.run(address,bytes)', '7', 'delegatecall'],
      ['anyone', 'Bank.deposit()', '5', 'takes ETH', 'balances'],
      ['msg.sender == owner', 'Bank.setFee(uint256)', '4', 'fee'],
      [''],
    ])
  })

  test('attack surface: what a derived contract only inherits is listed once, and with its place', async () => {
    const source = `pragma solidity 0.8.28;
abstract contract Owned {
    address owner = msg.sender;
    function hand(address to) external { require(msg.sender == owner); owner = to; }
}
contract Pool is Owned {
    uint256 total;
    function add() public virtual { total += 1; }
    function drop() public virtual { total -= 1; }
}
contract FastPool is Pool {
    function drop() public override { total = 0; }
}
`
    const { out } = await assay(['show', 'attack-surface'], { files: { 'Pool.sol': source } })
    expect(rows(out).slice(2, -1)).toEqual([
      ['anyone', 'Pool.add()', '8', 'total'],
      ['anyone', 'Pool.drop()', '9', 'total'],
      ['anyone', 'FastPool.drop()', '12', 'total'],
      ['msg.sender == owner', 'Pool.hand(address)', 'Owned:4', 'owner'],
      ['msg.sender == owner', 'FastPool.hand(address)', 'Owned:4', 'owner'],
    ])
  })

  test('state: written by whom, by internal functions too', async () => {
    const out = rows(await show('state', '--contract', 'Vault'))
    expect(out).toContainEqual(['list', 'deposit(uint128)', 'anyone', 'deposit(uint128), size()'])
    expect(out).toContainEqual(['owner', 'give(address)', 'onlyOwner', expect.stringContaining('close()')])
  })

  test('data dependencies: what the written value comes from', async () => {
    const source = `pragma solidity 0.8.28;
contract Meter {
    uint256 rate; uint256 total; uint256 since;
    function add(uint256 n) external { uint256 m = n * rate; total = total + m; since = block.timestamp; }
}
`
    const { out } = await assay(['show', 'data-dependencies'], { files: { 'Meter.sol': source } })
    expect(rows(out).slice(2, 4)).toEqual([
      ['total', 'n, rate, total', 'add(uint256)'],
      ['since', 'block time', 'add(uint256)'],
    ])
  })

  test('control flow: branches with their condition, internal calls inlined, in every form', async () => {
    const source = `pragma solidity 0.8.28;
contract Gate {
    uint256 a;
    function go(bool left) external { if (left) { a = 1; } else { _other(); } }
    function _other() internal { a = 2; }
}
`
    const draw = async (as: string) =>
      (await assay(['show', 'control-flow', '--as', as], { files: { 'Gate.sol': source } })).out
    expect(await draw('text')).toMatch(/if left[\s\S]*yes: B\d+\n +a = 1[\s\S]*no: B\d+\n +_other\(\)\n +a = 2/)
    expect(await draw('mermaid')).toMatch(/-->\|yes\| n\d/)
    expect(await draw('dot')).toMatch(/^digraph "Gate\.go\(bool\): control flow" \{[\s\S]*\[label="yes"\];[\s\S]*\}\n$/)
    expect(await draw('svg')).toContain('a = 2')
    expect(JSON.parse(await draw('json')).views[0].edges).toContainEqual(expect.objectContaining({ label: 'yes' }))
  })

  test('DOT: names cannot leave their quotes', async () => {
    const text = await show('entry-points', '--as', 'dot')
    expect(text.replace(/"(?:\\.|[^"\\])*"/g, '')).not.toMatch(/onlyOwner|token/)
  })

  test('2: no such view, no such contract', async () => {
    expect(await assay(['show', 'everything'], { files })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name a view'),
    })
    expect(await assay(['show', 'roles', '--contract', 'Nobody'], { files })).toMatchObject({ code: 2 })
  })
})

describe('storage of a base that was not read', () => {
  const upgradeable = (name: string) => `pragma solidity 0.8.28;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract ${name} is OwnableUpgradeable { uint256 public fee; }
`

  test('is not invented: no slot is known, and no variable of the base', async () => {
    const { out, code } = await assay(['show', 'storage'], { files: { 'W.sol': upgradeable('W') } })
    expect(code).toBe(0)
    expect(out).toContain('W: storage, slots unknown: ')
    expect(out).toContain('OwnableUpgradeable')
    expect(out).toMatch(/^ {2}\? +\? +32 +fee/m)
    expect(out).not.toMatch(/_owner|_initialized/)
  })

  test('nor that of a name nobody knows', async () => {
    const source = 'pragma solidity 0.8.28;\nimport "x/Base.sol";\ncontract W is Base(1) { uint256 fee; }\n'
    const { out } = await assay(['show', 'storage', '--as', 'json'], { files: { 'W.sol': source } })
    expect(JSON.parse(out).views[0]).toMatchObject({
      title: 'W: storage, slots unknown: Base not found',
      rows: [['?', '?', '32', 'fee', 'uint256', 'W']],
    })
  })

  test('with the base there they are, and an interface has none', async () => {
    const { out } = await assay(['show', 'storage', '--contract', 'W'], {
      files: {
        'W.sol':
          'pragma solidity 0.8.28;\nimport "./Base.sol";\nimport "@openzeppelin/contracts/token/ERC20/IERC20.sol";\ncontract W is Base, IERC20 { uint256 fee; }\n',
        'Base.sol': 'pragma solidity 0.8.28;\ncontract Base { uint256 a; }\n',
      },
    })
    expect(out).toMatch(/^ {2}1 +0 +32 +fee/m)
  })

  test('2: it is not compared', async () => {
    const { code, err } = await assay(['diff-storage', 'old.sol', 'new.sol'], {
      files: { 'old.sol': upgradeable('W'), 'new.sol': upgradeable('W') },
    })
    expect([code, err]).toEqual([2, expect.stringContaining('slots of W are unknown')])
  })
})

describe('diff-storage', () => {
  const base = 'uint256 a;\naddress b;\nuint256[48] __gap;\nuint256 c;'
  const compare = async (before: string, after: string) => {
    const wrap = (body: string) => `pragma solidity 0.8.28;\ncontract V {\n${body}\n}\n`
    return assay(['diff-storage', 'old.sol', 'new.sol'], { files: { 'old.sol': wrap(before), 'new.sol': wrap(after) } })
  }

  test.each([
    ['the same', base, 0, 'unchanged'],
    ['a variable at the end', `${base}\nuint8 d;`, 0, 'd (uint8) is new at slot 51.'],
    [
      'a gap that is used up',
      base.replace('uint256[48] __gap;', 'uint256 d;\nuint256[47] __gap;'),
      0,
      '__gap is used up by 1 slots',
    ],
    [
      'another name at the same place',
      base.replace('address b', 'address owner'),
      0,
      'b is now called owner (slot 1).',
    ],
    ['one in the middle', base.replace('address b;', 'uint256 d;\naddress b;'), 1, 'b moves from slot 1 to slot 2.'],
    ['another type', base.replace('address b', 'bytes32 b'), 1, 'b was address and becomes bytes32.'],
    ['one that is gone', base.replace('address b;\n', ''), 1, 'b (address) at slot 1 is gone.'],
    ['a gap that does not shrink', base.replace('uint256[48]', 'uint256 d;\nuint256[48]'), 1, 'what follows it moves'],
    ['another order', 'address b;\nuint256 a;\nuint256[48] __gap;\nuint256 c;', 1, 'a moves from slot 0 to slot 1.'],
  ])('%s', async (_what, before, code, words) => {
    const result = await compare(base, before)
    expect([result.code, result.out]).toEqual([code, expect.stringContaining(words)])
  })

  test('fields at the end of a struct behind a mapping are no problem, in an array they are', async () => {
    const using = (fields: string, type: string) => `struct S { ${fields} }\n${type} m;\nuint256 z;`
    const grown = 'uint256 x; uint256 y;'
    expect(
      (await compare(using('uint256 x;', 'mapping(address => S)'), using(grown, 'mapping(address => S)'))).code,
    ).toBe(0)
    expect((await compare(using('uint256 x;', 'S[2]'), using(grown, 'S[2]'))).code).toBe(1)
  })

  test('two bases of one name, from two packages, keep their variables apart', async () => {
    const base = 'pragma solidity 0.8.28;\ncontract Initializable {\nuint8 private done;\n}\n'
    const child = `pragma solidity 0.8.28;
import { Initializable as A } from "./a/Initializable.sol";
import { Initializable as B } from "./b/Initializable.sol";
contract C is A { uint256 x; }
contract V is C, B {}
`
    const files = { 'a/Initializable.sol': base, 'b/Initializable.sol': base, 'old.sol': child, 'new.sol': child }
    const { code, out } = await assay(['diff-storage', 'old.sol', 'new.sol', '--contract', 'V'], { files })
    expect([code, out]).toEqual([0, expect.stringContaining('unchanged')])
  })
})

describe('diff-storage of commits', () => {
  const vault = (body: string) =>
    `pragma solidity 0.8.28;\nimport "./Base.sol";\ncontract Vault is Base {\n  uint256[50] __gap;\n  ${body}\n}\n`
  const base = (body: string) => `pragma solidity 0.8.28;\nabstract contract Base { ${body} }\n`
  const plain = (body: string) => `pragma solidity 0.8.28;\ncontract Plain { ${body} }\n`
  function repository(files: Record<string, string>) {
    const folder = makeFolder({ 'foundry.toml': '', ...files })
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words], {
        encoding: 'utf8',
      })
    git('init', '-q', '-b', 'main')
    const commit = (tag: string) => {
      git('add', '-A')
      git('commit', '-qm', tag)
      git('tag', tag)
    }
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
    commit('v1')
    return { folder, commit, write, git }
  }
  const first = {
    'src/Base.sol': base('uint256 a;'),
    'src/Vault.sol': vault('address b;'),
    'src/Plain.sol': plain('uint256 a; uint256 b;'),
  }

  test('0, 1: a commit against the disk, and two commits', async () => {
    const { folder, commit, write } = repository(first)
    const unchanged = await assayIn(folder, ['diff-storage', 'v1'])
    expect([unchanged.code, unchanged.out]).toEqual([0, 'Vault\n  unchanged\n'])
    write('src/Base.sol', base('uint256 a; uint256 added;'))
    write('src/Plain.sol', plain('uint256 b; uint256 a;'))
    const moved = await assayIn(folder, ['diff-storage', 'HEAD'])
    expect([moved.code, moved.out]).toEqual([1, expect.stringContaining('b moves from slot 51 to slot 52.')])
    expect(moved.out).not.toContain('Plain')
    commit('v2')
    expect((await assayIn(folder, ['diff-storage', 'v1', 'v2'])).out).toBe(moved.out)
    expect((await assayIn(folder, ['diff-storage', 'v1', 'v2', '--all'])).out).toContain('Plain')
    expect((await assayIn(folder, ['diff-storage', 'v2', 'v2'])).code).toBe(0)
    const onlyPlain = await assayIn(folder, ['diff-storage', 'v1', 'v2', '--include', 'src/Plain.sol'])
    expect([onlyPlain.code, onlyPlain.err]).toEqual([0, expect.stringContaining('no contract that looks upgradeable')])
  })

  test('a file that is gone since is read from the commit, one that came later is not there yet', async () => {
    const { folder, commit, write, git } = repository(first)
    git('rm', '-q', 'src/Base.sol')
    write('src/Root.sol', base('uint256 other; uint256 a;'))
    write('src/Vault.sol', vault('address b;').replace('./Base.sol', './Root.sol'))
    commit('v2')
    const { code, out, err } = await assayIn(folder, ['diff-storage', 'v1', 'v2'])
    expect([code, out, err]).toEqual([1, expect.stringContaining('a moves from slot 0 to slot 1.'), expect.any(String)])
  })

  test('2: where a dependency differs, which is read from the disk', async () => {
    const { folder, commit, write } = repository({
      ...first,
      '.gitignore': 'node_modules\n',
      'package-lock.json': '{"lockfileVersion":3}',
      'node_modules/dep/Base.sol': base('uint256 a;'),
      'src/Vault.sol': vault('address b;').replace('./Base.sol', 'dep/Base.sol'),
    })
    expect((await assayIn(folder, ['diff-storage', 'v1'])).code).toBe(0)
    write('package-lock.json', '{"lockfileVersion":3,"packages":{}}')
    commit('v2')
    const { code, err } = await assayIn(folder, ['diff-storage', 'v1', 'v2'])
    expect([code, err]).toEqual([2, expect.stringContaining('package-lock.json differs between the two')])
  })

  test('2: no such commit, and no repository', async () => {
    const { folder } = repository(first)
    expect((await assayIn(folder, ['diff-storage', 'v9'])).code).toBe(2)
    expect((await assay(['diff-storage', 'v1'], { files: first })).code).toBe(2)
  })

  test('fields of a namespace that are put in the middle are a problem, at its end not', async () => {
    const spaced = (fields: string) =>
      `pragma solidity 0.8.28;\ncontract N {\n  /// @custom:storage-location erc7201:my.main\n  struct Main { ${fields} }\n}\n`
    const { folder, write } = repository({ 'src/N.sol': spaced('uint256 a; uint256 b;') })
    write('src/N.sol', spaced('uint256 a; uint256 b; uint256 c;'))
    const appended = await assayIn(folder, ['diff-storage', 'v1'])
    expect([appended.code, appended.out]).toEqual([
      0,
      expect.stringContaining('Main.c (uint256) is new at slot 2 of namespace my.main.'),
    ])
    write('src/N.sol', spaced('uint256 a; uint256 c; uint256 b;'))
    expect((await assayIn(folder, ['diff-storage', 'v1'])).code).toBe(1)
  })
})
