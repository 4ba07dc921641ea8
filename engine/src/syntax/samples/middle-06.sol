// SPDX-License-Identifier: MIT
pragma solidity >=0.6.0 <0.7.0;

abstract contract Root {
    function value() public view virtual returns (uint);
    modifier guarded(uint level) virtual { require(level > 0, "level"); _; }
}

interface Oracle {
    event Seen(uint);
    function price(address token) external payable returns (uint256);
    receive() external payable;
}

contract Leaf is Root {
    uint public immutable limit;
    uint256[] private history;
    address payable constant SINK = payable(0);

    constructor(uint cap) public { limit = cap; }

    receive() external payable {}
    fallback() external payable {}

    function value() public view override(Root) returns (uint) { return limit; }
    modifier guarded(uint level) override { require(level > 1); _; }

    function ask(Oracle oracle, address token) external guarded(2) returns (uint price) {
        try oracle.price{value: 1 wei, gas: 100000}(token) returns (uint got) {
            price = got;
        } catch Error(string memory reason) {
            bytes memory raw = bytes(reason);
            raw;
        } catch (bytes memory) {
            price = type(uint).max;
        }
        bytes memory code = type(Twin).creationCode;
        Twin twin = new Twin{salt: keccak256(code)}(3);
        try new Twin(4) returns (Twin made) { twin = made; } catch {}
        history.push() = price;
        address(twin).call{value: 1}("");
        return price;
    }

    function cut(bytes calldata data) external pure returns (bytes4 head, bytes memory tail) {
        head = abi.decode(data[:4], (bytes4));
        tail = abi.decode(data[4:], (bytes));
        tail = abi.decode(data[1:data.length - 1], (bytes));
        bytes32 x = "abc" "def";
        x; type(Oracle).interfaceId;
    }
}

contract Twin {
    constructor(uint) public {}
    struct Box { uint a; }
    enum Kind { A }
}
