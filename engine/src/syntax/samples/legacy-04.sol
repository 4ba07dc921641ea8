pragma solidity >=0.4.22 <0.5.0;
pragma experimental ABIEncoderV2;

interface Feed {
    function latest() external view returns (uint value, uint at);
}

library Pairs {
    struct Pair { uint left; uint right; }

    function sum(Pair storage self) internal view returns (uint) {
        return self.left + self.right;
    }

    function swap(Pair memory self) internal pure returns (Pair memory swapped) {
        (self.left, self.right) = (self.right, self.left);
        return self;
    }
}

contract Owned {
    address public owner;
    address from;
    uint receive = 1;
    uint internal fallback;
    mapping (bytes32 => mapping (address => bool)) private error;

    event Moved(address indexed by, uint, bytes data);
    event Silent(uint256 indexed id) anonymous;

    modifier onlyOwner {
        if (msg.sender != owner) throw;
        _;
    }

    modifier costs(uint amount) {
        require(msg.value >= amount);
        _;
        if (msg.value > amount) msg.sender.transfer(msg.value - amount);
    }

    function Owned() public {
        owner = msg.sender;
    }

    function () public payable {}
}

contract Vault is Owned, Feed {
    using Pairs for Pairs.Pair;
    using Pairs for *;

    enum State { Open, Closed, Frozen }

    State public state = State.Open;
    Pairs.Pair pair;
    uint[] public list;
    uint[3][] grid;
    byte constant MARK = 0x01;
    bytes32 constant HASH = hex"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    uint constant YEAR = 1 years + 2 weeks - 1 days;
    uint public constant FEE = 1.5 finney;
    function (uint) internal pure returns (uint) step = increment;
    mapping (address => uint) balances;

    function latest() external view returns (uint value, uint at) {
        return (pair.sum(), now);
    }

    function increment(uint x) internal pure returns (uint) {
        return x + 1;
    }

    function total() constant public returns (uint sum) {
        for (uint i = 0; i < list.length; i++) {
            sum += list[i];
        }
        var copy = list;
        var (a, b) = (1, uint(2));
        var (, c) = this.latest();
        copy.length;
        do { a++; } while (a < 10);
        while (true) { if (b == 2) break; else continue; }
        sum = a > 3 ? b : c;
    }

    function pay(address to, uint amount) public payable onlyOwner costs(1 ether) returns (bool) {
        balances[to] -= amount;
        if (!to.call.value(amount).gas(50000)(bytes4(keccak256("take(uint256)")), amount)) revert();
        if (to.send(amount)) return true;
        emit Moved(to, amount, "done");
        bytes4 selector = this.latest.selector;
        selector;
        require(to.delegatecall(msg.data), "refused");
        delete balances[to];
        list.push(amount);
        grid[0][1] = 0x1F;
        list.length--;
        uint emit_ = amount ** 2 >> 1 << 2;
        emit_ |= 1; emit_ ^= 2; emit_ &= ~uint(3); emit_ %= 7; emit_ /= 2; emit_ *= 3;
        selfdestruct(to);
    }

    function low(uint size) public view returns (uint result) {
        uint unchecked = size;
        uint calldata = 2;
        unchecked += calldata;
        assembly {
            let free := mload(0x40)
            let zero := 0
            result := add(free, size)
            switch gt(size, zero)
            case 0 { result := 1 }
            default { result := extcodesize(address) }
            for { let i := 0 } lt(i, size) { i := add(i, 1) } {
                if iszero(i) { result := 7 }
                result := call(gas, 0, 0, 0, 0, 0, 0)
            }
            function twice(x) -> y { y := mul(x, 2) }
            pop(twice(calldatasize))
        }
    }

    function stack(uint x) public returns (uint r) {
        assembly {
            x
            2
            mul
            =: r
            loop:
            r := sub(r, 1)
            jumpi(loop, gt(r, 10))
        }
    }

    function old() public {
        uint[] storage view_ = list;
        uint[] memory fresh = new uint[](3);
        string memory text = "a\x41\u0042\n\"";
        fresh[0] = view_.length + bytes(text).length;
        Vault other = Vault(new Owned());
        other.pay.value(1 wei)({to: msg.sender, amount: 2});
        (fresh[0], fresh[1]) = (fresh[1], fresh[0]);
        (fresh[2],) = other.latest();
        address(other).transfer(1 szabo);
        ((fresh))[0] = (1);
    }
}
