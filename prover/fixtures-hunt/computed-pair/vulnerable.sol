// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
}

interface ICoin {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

contract Lombard {
    ICoin private immutable first;
    ICoin private immutable second;
    address private immutable factory;
    mapping(address => uint256) public pledged;

    constructor(ICoin first_, ICoin second_, address factory_) {
        first = first_;
        second = second_;
        factory = factory_;
    }

    function pair() public view returns (IPair) {
        (address low, address high) = first < second ? (address(first), address(second)) : (address(second), address(first));
        bytes32 salt = keccak256(abi.encodePacked(low, high));
        return IPair(address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, salt, keccak256("code of the pair")))))));
    }

    function pledgeFor(uint256 amount) public view returns (uint256) {
        (uint256 low, uint256 high,) = pair().getReserves();
        return first < second ? 2 * amount * low / high : 2 * amount * high / low;
    }

    function borrow(uint256 amount) external {
        uint256 pledge = pledgeFor(amount);
        require(first.transferFrom(msg.sender, address(this), pledge));
        pledged[msg.sender] += pledge;
        require(second.transfer(msg.sender, amount));
    }
}
