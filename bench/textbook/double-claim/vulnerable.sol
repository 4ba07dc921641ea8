// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract Airdrop {
    IERC20 public immutable token;
    address public owner;
    mapping(address => uint256) public owed;

    constructor(IERC20 asset) {
        token = asset;
        owner = msg.sender;
    }

    function register() external payable {
        require(msg.value == 0.01 ether, "fee is 0.01 ether");
        owed[msg.sender] = 1 ether;
    }

    function claim() external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        require(token.transfer(msg.sender, amount), "transfer failed"); // expect: missing-state-update
    }
}
