// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import * as Maths from "./modern-07.sol";
import {Point as P, scaled} from "./modern-07.sol";

type Price is uint128;

using {add as +, equal as ==, Prices.double} for Price global;

error Refused(address who, uint256 amount);
event Settled(uint256 indexed id);

function add(Price a, Price b) pure returns (Price) {
    return Price.wrap(Price.unwrap(a) + Price.unwrap(b));
}

function equal(Price a, Price b) pure returns (bool) {
    return Price.unwrap(a) == Price.unwrap(b);
}

library Prices {
    function double(Price a) internal pure returns (Price) {
        return a + a;
    }
}

abstract contract Hooks {
    function before(uint256 id) internal virtual;
}

contract Market is Hooks {
    error Closed();

    mapping(address owner => mapping(uint256 id => Price price) prices) public book;
    uint256 transient lock;
    uint256 private constant FROM = 1;
    address public immutable admin = msg.sender;
    bytes4 immutable selector;
    uint256 public error;
    uint256 layout;
    uint256 at;

    constructor() payable {
        selector = this.settle.selector;
    }

    modifier once() {
        if (lock != 0) revert Closed();
        lock = 1;
        _;
        lock = 0;
    }

    function before(uint256 id) internal virtual override {
        require(id > 0, Refused(msg.sender, id));
    }

    function settle(uint256 id, bytes calldata data) external payable once returns (bool done) {
        before(id);
        unchecked {
            error += id;
            for (uint256 i = 0; i < data.length; ++i) error++;
        }
        if (data.length == 0) revert Refused({who: msg.sender, amount: id});
        (bool ok, ) = payable(msg.sender).call{value: msg.value}(abi.encodeCall(this.settle, (id, data)));
        done = ok && !done;
        emit Settled(id);
        assembly ("memory-safe") {
            let word := tload(0)
            tstore(0, add(word, 1))
            mstore(0x00, hex"deadbeef")
            let from := calldataload(data.offset)
            sstore(error.slot, from)
        }
        int256 wide = -int256(id) % 7 - type(int8).min;
        uint256 shifted = uint256(wide) >> 3 & 0xff | 1 ^ 2;
        bytes memory joined = bytes.concat(bytes("a"), hex"01" hex"02");
        string memory text = string.concat("x", unicode"→");
        delete joined;
        text;
        function (uint256) internal fn = before;
        fn(shifted);
        uint256[] memory values = new uint256[](2);
        (values[0], values[1]) = (1, 2);
        return values[0] == 2 ** 3 ** 1;
    }

    receive() external payable {}

    fallback(bytes calldata input) external payable returns (bytes memory) {
        return input[4:];
    }
}

contract Placed layout at 0x1000 + 16 is Market {
    uint256 first;
}
