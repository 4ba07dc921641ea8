/**
 * Solidity of any size for growth measurements: token-like contracts of about five kilobytes with different names,
 * loops, calls, modifiers, inheritance, assembly. The same size always gives the same text. Nothing in it is weak, unless it is asked for:
 * then each contract has two functions that are reported, and what is measured includes findings.
 */
export const generateContract = (bytes: number, { isWeak = false } = {}): string => {
  const parts = ['// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n']
  let length = parts[0]!.length
  for (let n = 0; length < bytes; n++) {
    const part = oneContract(n, isWeak ? weakFunctions(n) : '')
    parts.push(part)
    length += part.length
  }
  return parts.join('\n')
}

const oneContract = (n: number, more: string): string => `
contract Ledger${n} {
    address public keeper${n};
    mapping(address => uint256) private held${n};
    mapping(address => mapping(address => uint256)) private allowed${n};
    address[] private members${n};
    bool private busy${n};
    uint256 public total${n};

    event Moved${n}(address indexed from, address indexed to, uint256 amount);
    error Short${n}(uint256 wanted, uint256 present);

    constructor() {
        keeper${n} = msg.sender;
    }

    modifier onlyKeeper${n}() {
        require(msg.sender == keeper${n}, "keeper");
        _;
    }

    modifier locked${n}() {
        require(!busy${n}, "busy");
        busy${n} = true;
        _;
        busy${n} = false;
    }
${Array.from({ length: 6 }, (_, i) => functions(n, i)).join('')}${more}
    function sweep${n}(address payable to) external onlyKeeper${n} {
        (bool done, ) = to.call{value: address(this).balance}("");
        require(done, "sweep");
    }

    function slot${n}(uint256 at) external view returns (uint256 word) {
        assembly {
            word := sload(at)
            if iszero(word) { word := not(0) }
        }
    }

    receive() external payable {
        held${n}[msg.sender] += msg.value;
        total${n} += msg.value;
    }
}
`

const functions = (n: number, i: number): string => `
    function move${n}_${i}(address to, uint256 amount) public returns (bool) {
        uint256 present = held${n}[msg.sender];
        if (present < amount) revert Short${n}(amount, present);
        unchecked {
            held${n}[msg.sender] = present - amount;
        }
        held${n}[to] += amount * ${i + 1} / ${i + 1};
        emit Moved${n}(msg.sender, to, amount);
        return true;
    }

    function take${n}_${i}(uint256 amount) external locked${n} {
        require(held${n}[msg.sender] >= amount, "short");
        held${n}[msg.sender] -= amount;
        total${n} -= amount;
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent, "send");
    }

    function share${n}_${i}(uint256 pot) internal view returns (uint256 sum) {
        for (uint256 k = 0; k < members${n}.length && k < 50; k++) {
            address member = members${n}[k];
            if (held${n}[member] == 0 || allowed${n}[member][msg.sender] > pot) continue;
            sum += held${n}[member] > pot ? pot : held${n}[member];
        }
        return sum ** 2 % (pot + ${i + 1});
    }
`

const weakFunctions = (n: number): string => `
    function drain${n}(address payable to, uint256 amount) external {
        to.send(amount);
    }

    function leave${n}() external {
        uint256 amount = held${n}[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent, "send");
        held${n}[msg.sender] = 0;
    }
`
