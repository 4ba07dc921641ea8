import type { Dialect } from './stand-in-dialect.ts'

interface TokenKind {
  /** The part of a transfer that arrives: an expression of its `value`. */
  readonly fee?: string
  /** Senders and recipients that called `listen` are called. */
  readonly hasHooks?: boolean
  /** Transfers return nothing. */
  readonly isMute?: boolean
}

const hookSource = ({ call }: Dialect): string => `
    mapping(address => bool) public listens;

    function listen() public {
        listens[msg.sender] = true;
    }

    function notify(address who, bytes memory data) internal {
        bool ok = true;
        if (listens[who]) {
            ${call('who', '0', 'data')}
        }
        require(ok);
    }
`

export const tokenSource = (dialect: Dialect, name: string, { fee, hasHooks, isMute }: TokenKind = {}): string => {
  const returns = isMute ? '' : ' returns (bool)'
  const answer = isMute ? '' : '\n        return true;'
  const notify = (who: string, hook: string) =>
    hasHooks
      ? `\n        notify(${who}, abi.encodeWithSignature("${hook}(address,address,address,uint256,bytes,bytes)", msg.sender, from, to, value, "", ""));`
      : ''
  return `contract ${name} {
    string public constant name = "${name}";
    string public constant symbol = "${name}";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
${hasHooks ? hookSource(dialect) : ''}
    function mint(address to, uint256 value) public {
        totalSupply = totalSupply + value;
        balanceOf[to] = balanceOf[to] + value;
    }

    function decimals() public ${dialect.pure} returns (uint8) {
        return 18;
    }

    function approve(address spender, uint256 value) public${returns} {
        allowance[msg.sender][spender] = value;${answer}
    }

    function transfer(address to, uint256 value) public${returns} {
        move(msg.sender, to, value);${answer}
    }

    function transferFrom(address from, address to, uint256 value) public${returns} {
        require(allowance[from][msg.sender] >= value);
        allowance[from][msg.sender] = allowance[from][msg.sender] - value;
        move(from, to, value);${answer}
    }

    function move(address from, address to, uint256 value) internal {${notify('from', 'tokensToSend')}
        require(balanceOf[from] >= value);
        balanceOf[from] = balanceOf[from] - value;
        balanceOf[to] = balanceOf[to] + value${fee ? ` - ${fee}` : ''};${notify('to', 'tokensReceived')}
    }
}`
}
